export { ChatCompletionClient } from "./completion-client.ts";
export type { CompletionStream, CompletionStreamHandler, CompletionTimeouts } from "./completion-stream.ts";
