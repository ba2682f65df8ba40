export * from "./actions.ts";
export * from "./agent.ts";
export * from "./limits.ts";
export * from "./payloads.ts";
