export { ChatCompletionClient } from "./completion-client.ts";
export type {
  CompletionRequest,
  CompletionStream,
  CompletionStreamHandler,
  CompletionTimeouts,
} from "./completion-stream.ts";
