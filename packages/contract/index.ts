export * from "./knowledge/index.ts";
export * from "./limits.ts";
export * from "./listing.ts";
export * from "./problems.ts";
export * from "./relay.ts";
