export { addMcpRoute } from "./add-mcp-route.ts";
export { mcpVariables } from "./allowed-hosts.ts";
export type { McpTool } from "./tools.ts";
export { defineMcpTool } from "./tools.ts";
