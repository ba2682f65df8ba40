import type { ListingEvent } from "@agent-backends/contract";

/** An answer of `POST /agent` as a client has it after the stream's end. */
export interface ReadAnswer {
  /** All data lines as they came, `[DONE]` included. */
  data: string[];
  frames: ListingEvent[];
  /** The chunks in their order. */
  chunks: string[];
  /** What a user sees. */
  text: string;
}

/** Reads a whole stream. Comments are left out. */
export async function readAnswer(response: Response): Promise<ReadAnswer> {
  const blocks = (await response.text()).split("\n\n").filter(Boolean);
  const data = blocks.filter((block) => !block.startsWith(":")).map((block) => block.replace(/^data: /, ""));
  const frames = data.filter((line) => line !== "[DONE]").map((line) => JSON.parse(line) as ListingEvent);
  const chunks = frames.flatMap((frame) => (frame.type === "text_message_chunk" ? [frame.content] : []));
  return { data, frames, chunks, text: chunks.join("") };
}

/** The body of a request with one message of the user. */
export const ask = (content: unknown, further: object = {}) => ({ messages: [{ role: "user", content }], ...further });

/** A JSON answer's body. */
// biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they assert.
export const jsonOf = (response: Response): Promise<any> => response.json();
