/** What a stream carries: data to read, or a sign of life that every client ignores. */
export type Frame = { kind: "data"; data: string } | { kind: "heartbeat"; data: string };

/** Turns the text of a stream, in whatever pieces it comes, into frames. `end` is for what was not ended properly. */
export interface FrameReader {
  push(text: string): Frame[];
  end(): Frame[];
}

/** The longest event that is waited for, in UTF-16 units. */
export const frameLengthAtMost = 16_000_000;

export class FrameTooLongError extends Error {
  constructor() {
    super(`The service sent an event of more than ${frameLengthAtMost} characters; the stream was given up.`);
  }
}
