export type { AgentRun, AgUiAgent } from "./add-ag-ui-routes.ts";
export { addAgUiRoutes } from "./add-ag-ui-routes.ts";
export type { AgentEvent } from "./agent-events.ts";
export * from "./dialects.ts";
export { chooseProfile, dropUnknownRoles, joinText } from "./run-input.ts";
