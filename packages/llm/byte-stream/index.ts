export type { BagItem } from "./bag.ts";
export { Bag } from "./bag.ts";
export { ChatCompletionClient } from "./completion-client.ts";
export type {
  CompletionRequest,
  CompletionStream,
  CompletionStreamHandler,
  CompletionTimeouts,
} from "./completion-stream.ts";
export type { Watched } from "./timeout-watch.ts";
export { TimeoutWatch } from "./timeout-watch.ts";
