export type { Instruments } from "./create-instruments.ts";
export { createInstruments } from "./create-instruments.ts";
export type { Reading } from "./metrics.ts";
export { Observability } from "./observability.ts";
export type { ProviderCall, RequestRecord } from "./request-record.ts";
export { currentRecord, getRecord, noteNamespace } from "./request-record.ts";
