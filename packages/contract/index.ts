export * from "./knowledge/index.ts";
export { type Limit, limitTable } from "./limit-table.ts";
export * from "./limits.ts";
export * from "./listing.ts";
export * from "./problem-error.ts";
export * from "./problems.ts";
export * from "./relay.ts";
export * from "./services.ts";
