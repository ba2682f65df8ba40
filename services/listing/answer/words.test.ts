import fc from "fast-check";
import { expect, test } from "vitest";
import { splitIntoWords, WordChunks } from "./words.ts";

function listChunks(parts: string[]): string[] {
  const words = new WordChunks();
  return [...parts.flatMap((part) => [...words.push(part)]), ...words.end()];
}

test("each word comes with the white space after it, wherever the text was cut", () => {
  expect(listChunks(["Hel", "lo  wor", "ld.\n\nNe", "xt"])).toEqual(["Hello  ", "world.\n\n", "Next"]);
});

test("a word is returned as soon as it ends", () => {
  const words = new WordChunks();
  expect([...words.push("one two")]).toEqual(["one "]);
  expect([...words.push(" three")]).toEqual(["two "]);
  expect([...words.end()]).toEqual(["three"]);
});

test("a long run without spaces is given in parts before it ends, and no character is torn", () => {
  const chunks = listChunks(["昨日の人気製品".repeat(20), "😀".repeat(100)]);
  expect(chunks.length).toBeGreaterThan(5);
  for (const chunk of chunks) expect(chunk.isWellFormed()).toBe(true);
});

test("a text that is there as a whole has the same chunks", () => {
  const text = "| 1 | [昨日の人気製品](https://listing.example/posts/a) | x  y |\n\nLaunches of today. ";
  expect([...splitIntoWords(text)]).toEqual(listChunks([text]));
  expect([...splitIntoWords(text)].join("")).toBe(text);
  expect([...splitIntoWords("")]).toEqual([]);
});

test("a link of a table is not torn, in any language", () => {
  const link = "[An_Inkotter](https://listing.example/posts/inkotter-the-markdown-editor?utm_source=a&utm_medium=b) ";
  const japanese = "[昨日の人気製品](https://listing.example/posts/%E6%98%A8%E6%97%A5) ";
  expect(listChunks([...`| ${link}| ${japanese}|`])).toEqual(["| ", link, "| ", japanese, "|"]);
});

test("a huge part without spaces is regrouped in time that grows with its length", () => {
  const text = "x".repeat(2_000_000);
  expect(listChunks([text]).join("")).toBe(text);
});

test("for any text in any parts: at most one word in a chunk, and together exactly the text", () => {
  const texts = fc.array(
    fc.oneof(
      fc.string({ unit: "binary" }),
      fc.stringMatching(/^[a-z \n\t|]*$/),
      fc.constantFrom(" ", "\u0085", "\u3000", " ".repeat(90)),
    ),
  );
  fc.assert(
    fc.property(texts, (parts) => {
      const chunks = listChunks(parts);
      expect(chunks.join("")).toBe(parts.join(""));
      for (const chunk of chunks) {
        expect(chunk.split(/\s+/).filter(Boolean).length).toBeLessThanOrEqual(1);
        expect(chunk).not.toBe("");
      }
    }),
  );
});
