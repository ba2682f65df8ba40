export type { Piece, ScriptedAnswer, ScriptedToolCall, StreamEnd } from "./provider/answers.ts";
export { answer } from "./provider/answers.ts";
export type { RecordedRequest, Script, ScriptedProvider } from "./provider/scripted-provider.ts";
export { startScriptedProvider } from "./provider/scripted-provider.ts";
export type { SlowReader } from "./slow-reader.ts";
export { postAndRead } from "./slow-reader.ts";
export type { SseFrame } from "./sse.ts";
export { parseSse, sseEvents } from "./sse.ts";
