export * from "./configuration.ts";
export * from "./event-stream.ts";
export * from "./heartbeat.ts";
export * from "./lifecycle.ts";
export * from "./logger.ts";
export * from "./observability/index.ts";
export * from "./problem.ts";
export * from "./run-service.ts";
