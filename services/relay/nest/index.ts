export type { RelayOptions } from "../core/create-relay.ts";
export { createRelay } from "../core/create-relay.ts";
export { RelayModule } from "./relay.module.ts";
