import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalisePieces } from "./large/stretches.ts";
import { hashText, normaliseText } from "./normalise.ts";

const special = [
  0x61, 0x301, 0x627, 0x4e2d, 0x1f469, 0x1f3f4, 0x200b, 0x200c, 0x200d, 0x202e, 0xd, 0xa, 0xe0067, 0xe0101,
];

describe("normalised text", () => {
  it("is composed, has \\n line ends and no white space around it", () => {
    expect(normaliseText("\ufeff \r\ncafe\u0301\r\nnext\rlast\t\n")).toBe("café\nnext\nlast");
  });

  it.each([
    ["control characters and white space", "b\u0000c\u0007d\u00a0e  f\n\n\ng\u00adh\u2028i"],
    ["the joiners of Persian and Hindi", "می\u200cخواهم क्\u200dष"],
    [
      "emoji of several characters",
      "👩\u200d👩\u200d👧 👩🏽\u200d🚀 ❤\ufe0f\u200d🔥 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
    ],
    ["the variants of Han characters", "葛\u{e0100}飾"],
  ])("keeps %s", (_what, text) => {
    expect(normaliseText(text)).toBe(text);
    expect(hashText(normaliseText(text))).toBe(createHash("sha256").update(text.normalize("NFC")).digest("hex"));
  });

  it.each([
    ["zero-width spaces", "ig\u200bnore\u2060 me\ufeff!", "ignore me!"],
    ["bidirectional controls", "\u202eevil\u202c \u2066a\u2069 \u200eb\u200f\u061c", "evil a b"],
    ["joiners that join nothing", "a\u200db \u200c!\u200d\u200d 中\u200c文 👍\u200b\u200d", "ab ! 中文 👍"],
    ["text that is hidden in tags", "Hi\u{e0049}\u{e0067}\u{e006e} 🏴\u200b\u{e0067}", "Hi 🏴"],
    ["text that is hidden in variation selectors", "a\u{e0101}\u{e0142}b", "ab"],
    ["what keeps a letter from its accent", "e\u200b\u0301 \r\u200b\n.", "é \n."],
    ["all there is", "\u200b\u202e\ufeff", ""],
  ])("drops %s", (_what, text, expected) => {
    expect(normaliseText(text)).toBe(expected);
  });

  it("has the hash of all its bytes, wherever a long text is cut to be hashed", () => {
    for (const text of ["😀".repeat(1_200_000), `a${"😀".repeat(1_200_000)}`, "é".repeat(2 ** 20), ""]) {
      expect(hashText(text)).toBe(createHash("sha256").update(text).digest("hex"));
    }
  });

  it("replaces the halves of broken surrogate pairs and keeps whole pairs", () => {
    expect(normaliseText("😀 \ud800 \udc00 x")).toBe("😀 \ufffd \ufffd x");
  });

  it("is normalised once and for all", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.integer({ min: 0, max: 0xffff }), fc.constantFrom(...special))), (codes) => {
        const text = String.fromCodePoint(...codes);
        const once = normaliseText(text);
        expect(normaliseText(once)).toBe(once);
      }),
    );
  });

  it("is the same for a text that comes in pieces, wherever it is cut", () => {
    const codes = fc.oneof(
      fc.integer({ min: 0, max: 0xffff }),
      fc.constantFrom(...special, 0x20, 0x3000, 0x65, 0x1161),
    );
    fc.assert(
      fc.property(fc.array(fc.array(codes, { maxLength: 6 }), { maxLength: 8 }), (pieces) => {
        const texts = pieces.map((piece) => String.fromCodePoint(...piece).toWellFormed());
        const normalised = [...normalisePieces(texts)];
        expect(normalised.join("")).toBe(normaliseText(texts.join("")));
        for (const piece of normalised) expect(piece.trim()).not.toBe("");
      }),
      { numRuns: 500 },
    );
  });

  it("is hashed as its UTF-8 bytes, so that a client gets the same hash for composed and decomposed text", () => {
    const expected = createHash("sha256").update(Buffer.from("naïve 😀", "utf8")).digest("hex");
    expect(hashText(normaliseText("naïve 😀"))).toBe(expected);
    expect(hashText(normaliseText("  nai\u0308ve 😀\r\n"))).toBe(expected);
  });
});
