export type { McpTool, McpToolResult } from "./add-mcp-route.ts";
export { addMcpRoute } from "./add-mcp-route.ts";
export { mcpVariables } from "./allowed-hosts.ts";
