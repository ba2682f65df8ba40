export type { Instruments } from "./create-observability.ts";
export { createInstruments } from "./create-observability.ts";
export type { Reading } from "./meters.ts";
export { Observability } from "./observability.ts";
export type { ProviderCall } from "./provider-call.ts";
export type { RequestRecord } from "./request-record.ts";
export { currentRecord, noteNamespace, recordOf, runWithin } from "./request-record.ts";
