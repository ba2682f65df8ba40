/** One frame of a stream: the data of an event, or a heartbeat that clients ignore. */
export interface Frame {
  kind: "data" | "heartbeat";
  data: string;
}

/** Turns the text of a stream into frames, whatever pieces it arrives in. `end` handles an unterminated last line. */
export interface FrameReader {
  push(text: string): Frame[];
  end(): Frame[];
}

/** Maximum length of one event, in UTF-16 units. */
export const maxFrameLength = 16_000_000;

function assertLength(length: number): void {
  if (length <= maxFrameLength) return;
  throw new Error(`The service sent an event of more than ${maxFrameLength} characters; the stream was given up.`);
}

/** Splits text at CRLF, LF and CR. */
class LineSplitter {
  /** The last, still unterminated line. */
  rest = "";
  #isFirst = true;

  push(text: string): string[] {
    this.rest += this.#isFirst ? text.replace(/^\uFEFF/, "") : text;
    this.#isFirst &&= text === "";
    // A CR at the very end may be the first half of a CRLF.
    const held = this.rest.endsWith("\r") ? "\r" : "";
    const lines = this.rest.slice(0, this.rest.length - held.length).split(/\r\n|\n|\r/);
    this.rest = (lines.pop() ?? "") + held;
    assertLength(this.rest.length);
    return lines;
  }
}

/** Newline-delimited JSON: each line is a frame, an empty line a heartbeat. */
export class NdjsonReader implements FrameReader {
  readonly #lines = new LineSplitter();

  push(text: string): Frame[] {
    return this.#lines.push(text).map((line) => {
      const data = line.trim();
      return { kind: data === "" ? "heartbeat" : "data", data };
    });
  }

  end(): Frame[] {
    const data = this.#lines.rest.trim();
    return data === "" ? [] : [{ kind: "data", data }];
  }
}

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream). Comments are
 * heartbeats. An unterminated last event is dropped.
 */
export class SseReader implements FrameReader {
  readonly #lines = new LineSplitter();
  #data: string[] = [];
  #length = 0;

  push(text: string): Frame[] {
    return this.#lines.push(text).flatMap((line) => this.#readLine(line));
  }

  end(): Frame[] {
    return this.#lines.rest === "\r" ? this.#readLine("") : [];
  }

  #readLine(line: string): Frame[] {
    if (line === "") return this.#dispatch();
    if (line.startsWith(":")) return [{ kind: "heartbeat", data: line }];
    const field = /^data(?:: ?|$)/.exec(line);
    if (!field) return [];
    const value = line.slice(field[0].length);
    this.#data.push(value);
    this.#length += value.length;
    assertLength(this.#length);
    return [];
  }

  #dispatch(): Frame[] {
    if (this.#data.length === 0) return [];
    const frame: Frame = { kind: "data", data: this.#data.join("\n") };
    this.#data = [];
    this.#length = 0;
    return [frame];
  }
}
