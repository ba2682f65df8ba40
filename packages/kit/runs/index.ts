export type { EventSink } from "./event-buffer.ts";
export { EventBuffer, eventPrefix } from "./event-buffer.ts";
export { openRuns, runsUrlSchema, runVariables } from "./open-runs.ts";
export type { RecordedClient, Recording } from "./recording.ts";
export { runFailures } from "./run-errors.ts";
export type { StoredRun } from "./run-log.ts";
export { describeRuns, Runs } from "./runs.ts";
export type { RunHost } from "./stored-run.ts";
export { answerStoredRun, getLastEventId, getRunAddress, streamStoredRun } from "./stored-run.ts";
