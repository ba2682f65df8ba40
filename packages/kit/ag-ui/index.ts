export type { ShownFailure } from "../runs/run-errors.ts";
export type { AgentEvent } from "./agent-events.ts";
export { buildCapabilities } from "./capabilities.ts";
export * from "./dialects.ts";
export { chooseProfile, describeContext, dropUnknownRoles, joinText } from "./run-input.ts";
