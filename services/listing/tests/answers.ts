import type { ListingEvent } from "@agent-backends/contract";

/** An answer of `POST /agent`, read to the end of the stream. */
export interface ReadAnswer {
  /** All data lines as received, including `[DONE]`. */
  data: string[];
  frames: ListingEvent[];
  /** The chunks in order. */
  chunks: string[];
  /** The text that a user sees. */
  text: string;
}

/** Reads a complete stream, without comments. */
export async function readAnswer(response: Response): Promise<ReadAnswer> {
  const blocks = (await response.text()).split("\n\n").filter(Boolean);
  const data = blocks.filter((block) => !block.startsWith(":")).map((block) => block.replace(/^data: /, ""));
  const frames = data.filter((line) => line !== "[DONE]").map((line) => JSON.parse(line) as ListingEvent);
  const chunks = frames.flatMap((frame) => (frame.type === "text_message_chunk" ? [frame.content] : []));
  return { data, frames, chunks, text: chunks.join("") };
}

/** A request body with one user message. */
export const ask = (content: unknown, further: object = {}) => ({ messages: [{ role: "user", content }], ...further });

/** Reads the JSON body of a response. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they assert.
export const readJson = (response: Response): Promise<any> => response.json();
