import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { docxOfXml, pdf, xlsx } from "@agent-backends/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { defaultExtractionLimits, ExtractionError } from "../extract/index.ts";
import { hashText } from "../normalise.ts";
import { passageCount, passagesOf, prepareDocument } from "../prepare.ts";
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
        const passages = passagesOf(document, 0, passageCount(document));
        if (length === 100) expect(passages).toHaveLength(1);
        else expect(passages.length).toBeGreaterThan(100);
        for (const passage of passages) expect(text.slice(passage.start, passage.end)).toBe(passage.text);
        expect(passages.at(-1)?.heading).toBe(length === 100 ? "A" : "B");
      }
    }
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

  it("of too many passages is refused", async () => {
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
    const limits = { ...defaultExtractionLimits, timeoutMs: 1 };
    await expect(readDocument({ content: { bytes: bomb() } }, limits)).rejects.toMatchObject({ code: "timed_out" });
  });

  it("is given up when the request is", async () => {
    const controller = new AbortController();
    const reading = readDocument({ content: { bytes: bomb() } }, defaultExtractionLimits, controller.signal);
    controller.abort(new Error("gone"));
    await expect(reading).rejects.toThrow("gone");
  });
});
