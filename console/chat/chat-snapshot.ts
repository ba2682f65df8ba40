import type { ChatMessage } from "../conversations/messages.ts";
import type { Upload } from "../uploads/upload-queue.ts";
import type { WireSnapshot } from "../wire/wire-log.ts";
import type { WaitingMessage } from "./waiting-messages.ts";

/** What the page shows of a conversation. */
export interface ChatSnapshot {
  messages: readonly ChatMessage[];
  running: boolean;
  /** The only namespace of this conversation, once it has begun in one. */
  namespace: string | undefined;
  /** What is written and not submitted yet. */
  draft: string;
  waiting: readonly WaitingMessage[];
  /** What the model may call in this conversation. */
  tools: readonly object[];
  /** Files for the next question. */
  uploads: readonly Upload[];
  /** How many messages an edit or a retry has removed; these can be brought back. */
  removedCount: number;
  /** Another tab has deleted it. It is kept again as soon as the user wants it. */
  isDeleted: boolean;
  wire: WireSnapshot | undefined;
}
