export type { Piece, ScriptedAnswer, ScriptedToolCall, StreamEnd } from "./provider/answers.ts";
export { answer } from "./provider/answers.ts";
export type { RecordedRequest, Script, ScriptedProvider } from "./provider/scripted-provider.ts";
export { startScriptedProvider } from "./provider/scripted-provider.ts";
