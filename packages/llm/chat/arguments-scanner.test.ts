import fc from "fast-check";
import { expect, test } from "vitest";
import { ArgumentsScanner } from "./arguments-scanner.ts";

/** Escapes what some encoders escape too: quotes, braces and letters beyond ASCII. */
const escapeMore = (literal: string) =>
  literal.replace(/\\.|[{}é]/g, (found) =>
    found.startsWith("\\") && found !== '\\"'
      ? found
      : `\\u${found
          .charCodeAt(found.length - 1)
          .toString(16)
          .padStart(4, "0")}`,
  );

test("arguments are complete at their last brace and not before, as text and as literals", () => {
  const values = fc.object({ key: fc.string(), values: [fc.constantFrom('}"', "\\", "{[", "é", "a\n", 1, null)] });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 5 }), fc.boolean(), (value, size, escapes) => {
      const text = JSON.stringify(value);
      const [plain, literal] = [new ArgumentsScanner(), new ArgumentsScanner()];
      for (let at = 0; at < text.length; at += size) {
        expect([plain.isComplete, literal.isComplete]).toEqual([false, false]);
        const piece = text.slice(at, at + size);
        plain.push(piece);
        const encoded = JSON.stringify(piece);
        const bytes = Buffer.from(`x${escapes ? escapeMore(encoded) : encoded}x`);
        literal.pushLiteral(bytes, 1, bytes.length - 1);
      }
      expect([plain.isComplete, literal.isComplete]).toEqual([true, true]);
    }),
  );
});
