export { addMcpRoute } from "./add-mcp-route.ts";
export { mcpVariables } from "./allowed-hosts.ts";
export type { McpTool, McpToolResult } from "./tools.ts";
export { defineMcpTool } from "./tools.ts";
