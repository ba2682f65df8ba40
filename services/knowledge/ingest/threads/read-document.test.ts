import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { docxOfXml, pdf, xlsx } from "@agent-backends/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultExtractionLimits, ExtractionError } from "../extract/index.ts";
import { hashText, normaliseText } from "../normalise.ts";
import { prepareDocument } from "../prepare.ts";
import { chunkCount, chunksOf } from "../prepared-chunks.ts";
import { processMark } from "../temporary-files.ts";
import type { DocumentContent } from "./document-input.ts";
import { readDocument } from "./read-document.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "knowledge-read-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe("a document", () => {
  it("is the same whether it is short or long, in memory, on disk or given as text", async () => {
    for (const length of [100, 200_000]) {
      const text = `# A\n\n${"Some words. ".repeat(length / 12)}\n\n# B\n\nThe end.`.trim();
      const path = join(folder, `${length}.md`);
      await writeFile(path, text);
      const read = [
        await readDocument({ content: { text, format: "markdown" } }, defaultExtractionLimits),
        await readDocument({ content: { bytes: Buffer.from(text) }, filename: "a.md" }, defaultExtractionLimits),
        await readDocument({ content: { path, bytesOnDisk: text.length }, filename: "a.md" }, defaultExtractionLimits),
      ];
      for (const document of read) {
        expect(document).toEqual(read[0]);
        expect(document).toMatchObject({ text, title: "A", hash: hashText(text), contentType: "text/markdown" });
        const { chunks } = await chunksOf(document, 0, chunkCount(document));
        if (length === 100) expect(chunks).toHaveLength(1);
        else expect(chunks.length).toBeGreaterThan(100);
        for (const chunk of chunks) expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
        expect(chunks.at(-1)?.place.heading).toBe(length === 100 ? "A" : "B");
      }
    }
  });

  it("of megabytes is read a stretch at a time, with the same text and headings, and chunks that hold all of it", async () => {
    const section = (number: number) =>
      `## Part ${number}\n\n${"Grüße aus Köln. ".repeat(90)}\n\n\`\`\`\n# no heading\n\nlet a = ${number};\n\`\`\``;
    const sections = Array.from({ length: 1_000 }, (_, number) => section(number));
    const text = `# Long\n\n${sections.join("\n\n")}`;
    const path = join(folder, "long.md");
    for (const encoding of ["utf8", "utf16le"] as const) {
      const bytes = Buffer.from(`\ufeff${text.replaceAll("\n", "\r\n")}\r\n`, encoding);
      await writeFile(path, bytes);
      const content = { path, bytesOnDisk: bytes.byteLength };
      const document = await readDocument({ content, filename: "long.md" }, defaultExtractionLimits);
      expect(document).toMatchObject({ title: "Long", hash: hashText(text), contentType: "text/markdown" });
      if (typeof document.text === "string") throw new Error("It is in memory.");
      let kept = "";
      const slices: boolean[] = [];
      const headings = new Set<string | undefined>();
      const count = chunkCount(document);
      for (let from = 0; from < count; from += 100) {
        const { text: stretch, chunks, release } = await chunksOf(document, from, Math.min(from + 100, count));
        kept += stretch;
        for (const chunk of chunks) {
          slices.push(text.slice(chunk.start, chunk.end) === chunk.text, chunk.end <= kept.length);
          headings.add(chunk.place.heading);
        }
        release();
      }
      await document.text.close();
      expect(kept === text).toBe(true);
      expect(slices).not.toContain(false);
      expect([...headings].slice(0, 3)).toEqual(["Long", "Long > Part 1", "Long > Part 2"]);
      expect(headings.size).toBe(sections.length);
    }
  });

  it.each([
    ["without a line's end", "x".repeat(3_000_000)],
    ["of characters of two halves", "😀".repeat(1_500_000)],
    ["of nothing but marks that join", `e${"\u0301".repeat(1_200_000)}`],
    ["of white space around a word", `${" ".repeat(2_000_000)}word${"\n".repeat(2_000_000)}`],
  ])("%s is read all the same", async (_what, text) => {
    const path = join(folder, "endless.txt");
    await writeFile(path, text);
    const content = { path, bytesOnDisk: Buffer.byteLength(text) };
    const document = await readDocument({ content, filename: "endless.txt" }, defaultExtractionLimits);
    expect(document.hash).toBe(hashText(normaliseText(text)));
    if (typeof document.text !== "string") await document.text.close();
  });

  it("leaves no file behind, read, refused or given up", async () => {
    const path = join(folder, "left.txt");
    await writeFile(path, "Some words. ".repeat(200_000));
    const content = { path, bytesOnDisk: 2_400_000 };
    const document = await readDocument({ content, filename: "left.txt" }, defaultExtractionLimits);
    const tooMuch = { ...defaultExtractionLimits, maxTextCharacters: 2_000_000 };
    await expect(readDocument({ content, filename: "left.txt" }, tooMuch)).rejects.toMatchObject({ code: "too_large" });
    const tooLong = { ...defaultExtractionLimits, timeoutMs: 1, timeoutMsPerMegabyte: 0 };
    await expect(readDocument({ content, filename: "left.txt" }, tooLong)).rejects.toMatchObject({ code: "timed_out" });
    expect((await readdir(tmpdir())).filter((name) => name.includes(processMark))).toEqual([]);
    if (typeof document.text === "string") throw new Error("It is in memory.");
    const parts = await Promise.all([document.text.read(0, 4), document.text.read(5, 10)]);
    expect(parts.map(({ bytes }) => bytes.toString())).toEqual(["Some", "words"]);
    for (const { release } of parts) release();
    expect((await document.text.read(0, 12)).bytes.toString()).toBe("Some words. ");
    await document.text.close();
  });

  it("of every kind is read from disk as it is from memory", async () => {
    const filler = Array.from({ length: 1_500 }, (_, index) => `Line ${index} of a page that is not short.`);
    for (const [name, bytes] of [
      ["a.pdf", pdf([["Small."]])],
      ["b.pdf", pdf([filler, ["The end."]])],
      ["c.xlsx", xlsx({ Sheet: filler.map((line) => [line]) })],
      ["d.bin", new Uint8Array(100_000)],
    ] as const) {
      const path = join(folder, name);
      await writeFile(path, bytes);
      const read = (content: DocumentContent) =>
        readDocument({ content, filename: name }, defaultExtractionLimits).catch(
          (error: ExtractionError) => error.code,
        );
      const fromDisk = await read({ path, bytesOnDisk: bytes.byteLength });
      expect(fromDisk).toEqual(await read({ bytes: new Uint8Array(bytes) }));
      if (name === "d.bin") expect(fromDisk).toBe("unsupported");
      else expect(fromDisk).toHaveProperty("hash");
    }
  });

  it("of too many chunks is refused", async () => {
    const manyPages = Array.from({ length: 100_001 }, (_, page) => ({ start: page, page }));
    const document = { text: "x".repeat(100_001), contentType: "application/pdf", marks: manyPages };
    expect(() => prepareDocument(document)).toThrow(ExtractionError);
  });
});

describe("a file that takes too much", () => {
  const bomb = () => {
    const paragraphs = "<w:p><w:r><w:t>boom</w:t></w:r></w:p>".repeat(150_000);
    return docxOfXml(
      `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${paragraphs}</w:body></w:document>`,
    );
  };

  it("of memory is stopped and is too large", async () => {
    const limits = { ...defaultExtractionLimits, maxMemoryMb: 48 };
    await expect(readDocument({ content: { bytes: bomb() } }, limits)).rejects.toMatchObject({ code: "too_large" });
  });

  it("of time is stopped at the deadline", async () => {
    const limits = { ...defaultExtractionLimits, timeoutMs: 1, timeoutMsPerMegabyte: 0 };
    await expect(readDocument({ content: { bytes: bomb() } }, limits)).rejects.toMatchObject({ code: "timed_out" });
  });

  it("is given up when the request is", async () => {
    const controller = new AbortController();
    const caller = { client: "anyone", signal: controller.signal };
    const reading = readDocument({ content: { bytes: bomb() } }, defaultExtractionLimits, caller);
    controller.abort(new Error("gone"));
    await expect(reading).rejects.toThrow("gone");
  });
});
