import type { Frame, FrameReader } from "./frames.ts";
import { FrameTooLongError, frameLengthAtMost } from "./frames.ts";

/**
 * Reads server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream): data lines
 * of one event are joined, comments are heartbeats, and an event that the stream breaks off in is dropped.
 */
export function createSseReader(): FrameReader {
  let rest = "";
  let data: string[] = [];
  let length = 0;
  let first = true;

  const readLine = (line: string): Frame | undefined => {
    if (line === "") {
      if (data.length === 0) return undefined;
      const frame: Frame = { kind: "data", data: data.join("\n") };
      data = [];
      length = 0;
      return frame;
    }
    if (line.startsWith(":")) return { kind: "heartbeat", data: line };
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    if (field !== "data") return undefined;
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    length += value.length;
    if (length > frameLengthAtMost) throw new FrameTooLongError();
    data.push(value);
    return undefined;
  };

  return {
    push(text) {
      if (first && text !== "") {
        first = false;
        rest = text.startsWith("\uFEFF") ? text.slice(1) : text;
      } else rest += text;
      // A CR at the very end may be the first half of a CRLF.
      const heldBack = rest.endsWith("\r") ? "\r" : "";
      const lines = (heldBack ? rest.slice(0, -1) : rest).split(/\r\n|\n|\r/);
      rest = (lines.pop() ?? "") + heldBack;
      if (rest.length > frameLengthAtMost) throw new FrameTooLongError();
      return lines.flatMap((line) => readLine(line) ?? []);
    },
    end() {
      return rest === "\r" ? [readLine("")].flatMap((frame) => frame ?? []) : [];
    },
  };
}
