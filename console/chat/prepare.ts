import type { ChatMessage } from "../conversations/messages.ts";
import type { StreamRequest } from "../stream/open-stream.ts";

/** A request, and the namespace that its answer's citations are of. */
export type PreparedRequest = StreamRequest & { namespace?: string };

/** Makes the request that asks for the answer to a conversation. */
export type Prepare = (messages: readonly ChatMessage[], ids: { threadId: string; runId: string }) => PreparedRequest;
