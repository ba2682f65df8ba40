export type { McpTool, McpToolResult } from "./add-mcp-route.ts";
export { addMcpRoute, defineMcpTool } from "./add-mcp-route.ts";
export { mcpVariables } from "./allowed-hosts.ts";
