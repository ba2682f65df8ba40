export type { RelayOptions } from "../core/create-relay.ts";
export { createRelay } from "../core/create-relay.ts";
export { relayRouter } from "./router.ts";
