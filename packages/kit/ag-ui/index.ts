export type { ShownFailure } from "../runs/run-errors.ts";
export type { AgentEvent } from "./agent-events.ts";
export { buildCapabilities } from "./capabilities.ts";
export * from "./dialects.ts";
export { describeContext, joinText, parseRunInput } from "./run-input.ts";
