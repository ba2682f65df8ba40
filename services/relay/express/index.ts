export { createInstruments, createLogger } from "@agent-backends/kit";
export type { RelayOptions } from "../core/options.ts";
export { createRelay } from "../core/relay.ts";
export { relayRoutes } from "../http/routes.ts";
export { relayRouter } from "./router.ts";
