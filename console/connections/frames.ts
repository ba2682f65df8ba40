/** What a stream carries: data to read, or a sign of life that every client ignores. */
export type Frame = { kind: "data"; data: string } | { kind: "heartbeat"; data: string };

/** Turns the text of a stream, in whatever pieces it comes, into frames. `end` is for what was not ended properly. */
export interface FrameReader {
  push(text: string): Frame[];
  end(): Frame[];
}

/** The longest event that is waited for, in UTF-16 units. */
export const frameLengthAtMost = 16_000_000;

class FrameTooLongError extends Error {
  constructor() {
    super(`The service sent an event of more than ${frameLengthAtMost} characters; the stream was given up.`);
  }
}

const frameOf = (line: string): Frame => {
  const data = line.trim();
  return data === "" ? { kind: "heartbeat", data: "" } : { kind: "data", data };
};

/** Reads newline-delimited JSON: each line is a frame, an empty one a heartbeat. A last line may lack its end. */
export function createNdjsonReader(): FrameReader {
  let rest = "";
  return {
    push(text) {
      const lines = (rest + text).split("\n");
      rest = lines.pop() ?? "";
      if (rest.length > frameLengthAtMost) throw new FrameTooLongError();
      return lines.map(frameOf);
    },
    end() {
      return rest.trim() === "" ? [] : [frameOf(rest)];
    },
  };
}

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
