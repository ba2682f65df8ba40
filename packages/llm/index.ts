export { ChunkReader } from "./chat/chunk-reader.ts";
export type { CompletionChunk, ReasoningField } from "./chat/completion-chunk.ts";
export {
  chunkMembers,
  readCompletionChunk,
  readUsage,
  reasoningFields,
  shownReasoningFields,
} from "./chat/completion-chunk.ts";
export type { DemandedContent } from "./chat/demanded-content.ts";
export { fallBackOnDemand, unknownSignature } from "./chat/demanded-content.ts";
export type { AnswerTool, ChatMessage } from "./chat/messages.ts";
export type { AnswerPart, StreamAnswerOptions } from "./chat/stream-answer.ts";
export { streamAnswer } from "./chat/stream-answer.ts";
export { ToolCallError, ToolCalls } from "./chat/tool-calls.ts";
export type { Texts } from "./embeddings/embed-texts.ts";
export { embedTexts } from "./embeddings/embed-texts.ts";
export { VectorMemory } from "./embeddings/vector-memory.ts";
export * from "./endpoint/completions.ts";
export type { EndpointReply } from "./endpoint/endpoint-reply.ts";
export type { EndpointRequest, EndpointRoute } from "./endpoint/endpoint-request.ts";
export { startEndpoint } from "./endpoint/start-endpoint.ts";
export { cutMessage } from "./errors/failures.ts";
export type { ProviderErrorKind } from "./errors/provider-error.ts";
export { explainProviderError, ProviderError } from "./errors/provider-error.ts";
export { safeProviderMessage } from "./errors/safe-message.ts";
export { ChatProviders } from "./fallback/chat-providers.ts";
export { CircuitBreaker } from "./fallback/circuit-breaker.ts";
export { recognisePages } from "./hooks/recognise-pages.ts";
export type { RankedDocument } from "./hooks/rerank-documents.ts";
export { rerankDocuments } from "./hooks/rerank-documents.ts";
export { tryParseJson } from "./json.ts";
export { offlineEmbeddingWeight, offlineModel } from "./offline/model.ts";
export { Provider } from "./provider.ts";
export { ProviderStatus } from "./status/provider-status.ts";
export type { FrameHandler } from "./transport/frame-scanner.ts";
export { FrameScanner, FrameTooLargeError } from "./transport/frame-scanner.ts";
export { toJsonBody } from "./transport/large-json.ts";
export type {
  AskedProvider,
  BodyFallback,
  ProviderRequest,
  ProviderStream,
  StreamHandler,
} from "./transport/provider-stream.ts";
