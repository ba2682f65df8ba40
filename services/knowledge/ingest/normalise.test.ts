import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashText, normaliseText } from "./normalise.ts";

describe("normalised text", () => {
  it("is composed, has \\n line ends and no white space around it", () => {
    expect(normaliseText("\ufeff \r\ncafe\u0301\r\nnext\rlast\t\n")).toBe("café\nnext\nlast");
  });

  it("keeps everything else, zero-width and control characters included", () => {
    const text = "a\u200bb\u0000c\u0007d\u00a0e  f\n\n\ng";
    expect(normaliseText(text)).toBe(text);
  });

  it("replaces the halves of broken surrogate pairs and keeps whole pairs", () => {
    expect(normaliseText("😀 \ud800 \udc00 x")).toBe("😀 \ufffd \ufffd x");
  });

  it("is normalised once and for all", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff })), (codes) => {
        const text = String.fromCharCode(...codes);
        const once = normaliseText(text);
        expect(normaliseText(once)).toBe(once);
      }),
    );
  });

  it("is hashed as its UTF-8 bytes, so that a client gets the same hash for composed and decomposed text", () => {
    const expected = createHash("sha256").update(Buffer.from("naïve 😀", "utf8")).digest("hex");
    expect(hashText(normaliseText("naïve 😀"))).toBe(expected);
    expect(hashText(normaliseText("  nai\u0308ve 😀\r\n"))).toBe(expected);
  });
});
