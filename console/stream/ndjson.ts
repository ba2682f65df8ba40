import type { Frame, FrameReader } from "./frames.ts";
import { FrameTooLongError, frameLengthAtMost } from "./frames.ts";

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
