export * from "./limits.ts";
export * from "./problems.ts";
