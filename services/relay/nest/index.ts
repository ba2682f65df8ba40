export type { RelayOptions } from "../core/options.ts";
export { createRelay } from "../core/relay.ts";
export { RelayModule } from "./relay.module.ts";
