import { InvalidResponseError, TruncatedStreamError } from "./errors.ts";

/** One frame of a stream: the data of an event, or a heartbeat. */
export interface Frame {
  kind: "data" | "heartbeat";
  data: string;
  /** The id of the event, in streams that can be resumed. */
  id?: string;
}

/** Splits text at CRLF, LF and CR, across chunk boundaries. */
class LineSplitter {
  #rest = "";
  #isAfterCr = false;
  readonly #maxLength: number;

  constructor(maxLength: number) {
    this.#maxLength = maxLength;
  }

  /** The last line, not yet terminated. */
  get rest(): string {
    return this.#rest;
  }

  push(text: string): string[] {
    if (text === "") return [];
    // The CR has already ended the line.
    const added = this.#isAfterCr && text.startsWith("\n") ? text.slice(1) : text;
    this.#isAfterCr = text.endsWith("\r");
    // Searches only the new text, so that a long line in many pieces takes linear time.
    const lines = added.split(/\r\n|\n|\r/);
    lines[0] = this.#rest + lines[0];
    this.#rest = lines.pop() ?? "";
    assertLength(this.#rest.length, this.#maxLength);
    return lines;
  }
}

function assertLength(length: number, max: number): void {
  if (length > max) throw new InvalidResponseError(`The service sent an event of more than ${max} characters.`);
}

interface FrameParser {
  push(text: string): Frame[];
  /** Returns the frames that the end of the stream completes. */
  end(): Frame[];
}

/** Newline-delimited JSON: each line is a frame, an empty line a heartbeat. */
class NdjsonParser implements FrameParser {
  readonly #lines: LineSplitter;

  constructor(maxLength: number) {
    this.#lines = new LineSplitter(maxLength);
  }

  push(text: string): Frame[] {
    return this.#lines.push(text).map((line) => {
      const data = line.trim();
      return { kind: data === "" ? "heartbeat" : "data", data };
    });
  }

  /** The last line may lack its line break. A truncated line isn't a frame. */
  end(): Frame[] {
    const data = this.#lines.rest.trim();
    return isJson(data) ? [{ kind: "data", data }] : [];
  }
}

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html#parsing-an-event-stream). Comments are
 * heartbeats. An unterminated last event is dropped.
 */
class SseParser implements FrameParser {
  readonly #lines: LineSplitter;
  readonly #maxLength: number;
  #data: string[] = [];
  #length = 0;
  #id: string | undefined;

  constructor(maxLength: number) {
    this.#lines = new LineSplitter(maxLength);
    this.#maxLength = maxLength;
  }

  push(text: string): Frame[] {
    return this.#lines.push(text).flatMap((line) => this.#readLine(line));
  }

  end(): Frame[] {
    return [];
  }

  #readLine(line: string): Frame[] {
    if (line === "") return this.#dispatch();
    if (line.startsWith(":")) return [{ kind: "heartbeat", data: line }];
    const [, name, value = ""] = /^(data|id)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "id" && !value.includes("\0")) this.#id = value;
    if (name !== "data") return [];
    this.#data.push(value);
    this.#length += value.length;
    assertLength(this.#length, this.#maxLength);
    return [];
  }

  #dispatch(): Frame[] {
    if (this.#data.length === 0) return [];
    const frame: Frame = { kind: "data", data: this.#data.join("\n"), ...(this.#id !== undefined && { id: this.#id }) };
    this.#data = [];
    this.#length = 0;
    return [frame];
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Yields the frames of a stream as they arrive, and cancels the stream when the caller stops. Detects SSE and NDJSON by the content type.
 *
 * @param bounds.silenceTimeoutMs maximum time in which nothing arrives; 0: no limit
 * @throws InvalidResponseError when an event has more than `maxEventCharacters`; TruncatedStreamError when the connection breaks
 */
export async function* readFrames(
  response: Response,
  { maxEventCharacters, silenceTimeoutMs }: { maxEventCharacters: number; silenceTimeoutMs: number },
): AsyncGenerator<Frame, void, undefined> {
  if (!response.body) return;
  const isSse = /\btext\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const parser: FrameParser = isSse ? new SseParser(maxEventCharacters) : new NdjsonParser(maxEventCharacters);
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  try {
    for (;;) {
      const { done, value } = await readWithin(silenceTimeoutMs, reader).catch((cause: unknown) => {
        throw new TruncatedStreamError(cause);
      });
      if (done) break;
      yield* parser.push(decoder.decode(value, { stream: true }));
    }
    yield* parser.end();
  } finally {
    // Rejects if the stream has failed, which was already reported.
    reader.cancel().catch(() => undefined);
  }
}

/** Rejects when nothing arrives in time: the other end of a connection may be gone without a sign. */
async function readWithin<Value>(
  silenceTimeoutMs: number,
  reader: ReadableStreamDefaultReader<Value>,
): Promise<ReadableStreamReadResult<Value>> {
  if (silenceTimeoutMs === 0) return reader.read();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silence = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Nothing arrived for ${silenceTimeoutMs} ms.`)), silenceTimeoutMs);
  });
  try {
    return await Promise.race([reader.read(), silence]);
  } finally {
    clearTimeout(timer);
  }
}
