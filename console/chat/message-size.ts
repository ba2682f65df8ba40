import { limits } from "@agent-backends/contract/limits";
import type { AttachedImage } from "../conversations/attached-images.ts";
import type { ChatMessage } from "../conversations/messages.ts";
import { formatBytes } from "../design/format.ts";
import type { Prepare } from "./protocol.ts";

/** Shorter messages aren't measured, so that typing stays fast. */
const minMeasuredCharacters = 100_000;
/** Space reserved for the ids of a request, which are created when it is sent. */
const idBytes = 1_000;

/** The size of a message, for the user. */
export interface MessageSize {
  isTooLong: boolean;
  note: string;
}

/** Whether a message after these messages can be sent. Undefined for a message of ordinary length. */
export function describeSize(
  text: string,
  messages: readonly ChatMessage[],
  prepare: Prepare,
  images: readonly AttachedImage[] = [],
): MessageSize | undefined {
  if (text.length < minMeasuredCharacters && images.length === 0) return undefined;
  const [characters, most] = [text.length, limits.messageCharacters].map((count) => count.toLocaleString("en"));
  if (text.length > limits.messageCharacters) {
    const note = `A message may have ${most} characters, and this one has ${characters}. Shorten it, or send it in parts.`;
    return { isTooLong: true, note };
  }
  const { body } = prepare([...messages, { id: "", role: "user", text, images }], { threadId: "", runId: "" });
  const bytes = new Blob([JSON.stringify(body)]).size + idBytes;
  if (bytes <= limits.bodyBytes) {
    const isLong = text.length >= minMeasuredCharacters;
    return isLong ? { isTooLong: false, note: `${characters} of ${most} characters` } : undefined;
  }
  const note = `The conversation with this message has ${formatBytes(bytes)}, and the limit is ${formatBytes(limits.bodyBytes)}. ${images.length > 0 ? "Attach smaller images" : "Shorten the message"}, or start a new chat.`;
  return { isTooLong: true, note };
}
