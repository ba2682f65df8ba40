/** One frame of a server-sent event stream: data or a comment. */
export type SseFrame = { data: string } | { comment: string };

/**
 * Splits a complete stream into its frames. Accepts only LF line ends, one `data: ` line or one comment per frame, and an empty line
 * after each.
 *
 * @throws Error that shows the invalid frame
 */
export function parseSse(text: string): SseFrame[] {
  if (text === "") return [];
  if (!text.endsWith("\n\n")) throw new Error(`The stream does not end with an empty line: ${quote(text.slice(-80))}`);
  return text
    .slice(0, -2)
    .split("\n\n")
    .map((frame) => {
      if (/[\r\n]/.test(frame)) throw new Error(`A frame has more than one line: ${quote(frame)}`);
      if (frame.startsWith("data: ")) return { data: frame.slice(6) };
      if (frame.startsWith(": ")) return { comment: frame.slice(2) };
      throw new Error(`A frame is neither data nor a comment: ${quote(frame)}`);
    });
}

/** The JSON events of a stream, without comments. */
export function parseSseEvents<Event = { type: string; [field: string]: unknown }>(text: string): Event[] {
  return parseSse(text).flatMap((frame) => ("data" in frame ? [JSON.parse(frame.data) as Event] : []));
}

function quote(text: string): string {
  return JSON.stringify(text);
}
