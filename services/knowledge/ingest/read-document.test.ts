import { readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { docx, docxOfXml, endlessDocx, pdf, xlsx } from "@agent-backends/testing";
import { describe, expect, it, vi } from "vitest";
import { processMark, temporaryPath } from "../store/temporary-files.ts";
import { useFileInputs } from "../tests/ingest/file-inputs.ts";
import type { Chunk } from "./chunk.ts";
import { chunkText } from "./chunk.ts";
import type { ExtractionError } from "./extract/document.ts";
import { defaultExtractionLimits, extractFile, extractString } from "./extract/extract.ts";
import { chunksPerPart, takePartFile } from "./large/part-file.ts";
import { prepareDocument } from "./large/prepare.ts";
import { hashText, normaliseText } from "./normalise.ts";
import type { DocumentInput, LargeDocument, PreparedDocument, PreparedPart } from "./prepared-document.ts";
import { prepareSmallDocument } from "./prepared-document.ts";
import { readDocument } from "./read-document.ts";

const fileInput = useFileInputs();
const read = (input: DocumentInput) => readDocument(input, defaultExtractionLimits);
const ownFiles = async () => (await readdir(tmpdir())).filter((name) => name.includes(processMark));
/** Other test files run in this process as well. */
const filesOfOthers = new Set(await ownFiles());
const filesLeft = async () => (await ownFiles()).filter((name) => !filesOfOthers.has(name));

function requireLarge(document: PreparedDocument): LargeDocument {
  if (!("readPart" in document)) throw new Error("It is small.");
  return document;
}

/** Reads and closes a document. */
async function readAll(document: LargeDocument): Promise<PreparedPart> {
  let text = "";
  const chunks: Chunk[] = [];
  for (let number = 0; number < document.partCount; number++) {
    const part = await document.readPart(number);
    text += part.text;
    expect(part.chunks.at(-1)?.end).toBe(text.length);
    chunks.push(...part.chunks);
  }
  await document.close();
  return { text, chunks };
}

describe("a document", () => {
  it("is the same whether it is short or long, on disk or given as text", async () => {
    for (const length of [100, 200_000]) {
      const text = `# A\n\n${"Some words. ".repeat(length / 12)}\n\n# B\n\nThe end.`.trim();
      const documents = [
        await read({ text, format: "markdown" }),
        await read(fileInput(text, "a.md")),
        await read({ ...fileInput(text), format: "markdown" }),
      ];
      const expected = prepareSmallDocument(extractString(text, "markdown"));
      expect(expected).toMatchObject({ text, title: "A", hash: hashText(text), contentType: "text/markdown" });
      for (const document of documents) expect(document).toEqual(expected);
      if (length === 100) expect(expected.chunks).toHaveLength(1);
      else expect(expected.chunks.length).toBeGreaterThan(100);
      for (const chunk of expected.chunks) expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
      expect(expected.chunks.at(-1)?.heading).toBe(length === 100 ? "A" : "B");
    }
  });

  it("of megabytes is read a stretch at a time, with the same text and headings, and chunks that hold all of it", async () => {
    const section = (number: number) =>
      `## Part ${number}\n\n${"Grüße aus Köln. ".repeat(90)}\n\n\`\`\`\n# no heading\n\nlet a = ${number};\n\`\`\``;
    const sections = Array.from({ length: 1_000 }, (_, number) => section(number));
    const text = `# Long\n\n${sections.join("\n\n")}`;
    for (const encoding of ["utf8", "utf16le"] as const) {
      const bytes = Buffer.from(`\ufeff${text.replaceAll("\n", "\r\n")}\r\n`, encoding);
      const document = requireLarge(await read(fileInput(bytes, "long.md")));
      expect(document).toMatchObject({ title: "Long", hash: hashText(text), contentType: "text/markdown" });
      const { text: joined, chunks } = await readAll(document);
      expect(joined === text).toBe(true);
      expect(chunks.map(({ index }) => index)).toEqual(
        Array.from({ length: document.chunkCount }, (_, index) => index),
      );
      const slices = chunks.map((chunk) => text.slice(chunk.start, chunk.end) === chunk.text);
      expect(slices).not.toContain(false);
      const headings = new Set(chunks.map(({ heading }) => heading));
      expect([...headings].slice(0, 3)).toEqual(["Long", "Long > Part 1", "Long > Part 2"]);
      expect(headings.size).toBe(sections.length);
    }
  });

  it("that is a table of megabytes has whole rows and its header in every chunk but the first", async () => {
    const rows = Array.from({ length: 30_000 }, (_, row) => `${row},"value\n\nof ${row}",more`);
    const markdown = ["| Row | Value |", "|---|---|", ...rows.map((_, row) => `| ${row} | value of ${row} |`)].join(
      "\n",
    );
    const tables = [
      {
        input: fileInput(["Row,Value,Rest", ...rows].join("\n"), "t.csv"),
        header: "Row,Value,Rest",
        row: /^\d+,"value\n\nof/,
      },
      { input: { text: markdown, format: "markdown" as const }, header: "| Row | Value |", row: /^\| \d+ \| value of/ },
    ];
    for (const { input, header, row } of tables) {
      const { chunks } = await readAll(requireLarge(await read(input)));
      expect(chunks[0]?.tableHeader).toBeUndefined();
      for (const chunk of chunks.slice(1)) {
        expect(chunk.tableHeader).toBe(header);
        expect(chunk.text).toMatch(row);
      }
    }
  });

  it("of Markdown has its HTML tables as Markdown tables, unless their cells hold Markdown", async () => {
    const rows = Array.from({ length: 200 }, (_, row) => `<tr>\n  <td>Lamp ${row}</td><td>${row} &euro;</td>\n</tr>\n`);
    const table = `<table class="prices">\n<tr><th>Item</th><th>Price</th></tr>\n\n${rows.join("")}</table>`;
    const left = "```\n<table>\n```\n\n<table><tr><td>\n\n- *one*\n\n</td></tr></table>";
    for (const words of ["Few words.", "Many words. ".repeat(60_000).trim()]) {
      const text = `# Prices\n\n${words}\n${table} From May.\n\n${left}`;
      for (const input of [{ text, format: "markdown" as const }, fileInput(text, "a.md")]) {
        const document = await read(input);
        const found = "readPart" in document ? await readAll(document) : document;
        expect(found.text.startsWith(`# Prices\n\n${words}`)).toBe(true);
        expect(found.text).toContain("\n\n| Item | Price |\n| --- | --- |\n| Lamp 0 | 0 € |\n| Lamp 1 |");
        expect(found.text.endsWith(`| Lamp 199 | 199 € |\n\nFrom May.\n\n${left}`)).toBe(true);
        for (const { start, end, text } of found.chunks) expect(found.text.slice(start, end)).toBe(text);
        const last = found.chunks.findLast(({ text }) => text.includes("| Lamp 198 |"));
        expect(last).toMatchObject({ heading: "Prices", tableHeader: "| Item | Price |" });
        expect(last?.text).toMatch(/^\| Lamp/);
      }
    }
  });

  it("that is extracted as a whole has the same chunks in parts of a file", async () => {
    const pages = Array.from({ length: chunksPerPart + 1 }, (_, page) => [`Page ${page} is not a long one. 😀`]);
    const bytes = pdf(pages);
    const document = requireLarge(await read(fileInput(bytes, "pages.pdf")));
    const whole = await extractFile({ bytes: new Uint8Array(bytes) });
    expect(document).toMatchObject({ hash: hashText(whole.text), partCount: 2, chunkCount: pages.length });
    const { text, chunks } = await readAll(document);
    expect(text).toBe(whole.text);
    expect(chunks).toEqual(chunkText(whole));
    expect(chunks.at(-1)?.page).toBe(pages.length);
  });

  it.each([
    ["without a line's end", "x".repeat(3_000_000)],
    ["of characters of two halves", "😀".repeat(1_500_000)],
    ["of nothing but marks that join", `e${"\u0301".repeat(1_200_000)}`],
    ["of white space around a word", `${" ".repeat(2_000_000)}word${"\n".repeat(2_000_000)}`],
    ["of white space between words", `one${" ".repeat(2_000_000)}two`],
  ])("%s is read all the same", async (_what, text) => {
    const document = await read(fileInput(text, "endless.txt"));
    expect(document.hash).toBe(hashText(normaliseText(text)));
    if ("close" in document) await document.close();
  });

  it("leaves no file behind, read, refused or given up", async () => {
    const input = fileInput("Some words. ".repeat(200_000), "left.txt");
    const document = requireLarge(await read(input));
    const tooMuch = { ...defaultExtractionLimits, maxTextCharacters: 2_000_000 };
    await expect(readDocument(input, tooMuch)).rejects.toMatchObject({ code: "too_large" });
    const tooLong = { ...defaultExtractionLimits, timeoutMs: 1, timeoutMsPerMegabyte: 0 };
    await expect(readDocument(input, tooLong)).rejects.toMatchObject({ code: "timed_out" });
    expect(await filesLeft()).toEqual([]);
    const [last, first] = await Promise.all([document.readPart(document.partCount - 1), document.readPart(0)]);
    expect(first.chunks[0]).toMatchObject({ index: 0, start: 0, text: expect.stringMatching(/^Some words\. /) });
    expect(last.chunks.at(-1)).toMatchObject({ index: document.chunkCount - 1, end: 2_399_999 });
    await document.close();
  });

  it("of every kind gives the same text as on the main thread", async () => {
    const filler = Array.from({ length: 1_500 }, (_, index) => `Line ${index} of a page that is not short.`);
    for (const [name, bytes] of [
      ["a.pdf", pdf([["Small."]])],
      ["b.pdf", pdf([filler, ["The end."]])],
      ["c.xlsx", xlsx({ Sheet: filler.map((line) => [line]) })],
      ["d.bin", new Uint8Array(100_000)],
    ] as const) {
      const code = (error: ExtractionError) => error.code;
      const inThread = await read(fileInput(bytes, name)).catch(code);
      const here = await extractFile({ bytes: new Uint8Array(bytes), filename: name }).then(
        (document) => prepareSmallDocument(document),
        code,
      );
      expect(inThread).toEqual(here);
      if (name === "d.bin") expect(inThread).toBe("unsupported");
      else expect(inThread).toHaveProperty("hash");
    }
  });

  it("keeps text that is no part of its chunks, also behind a part that is full", async () => {
    const text = `${"x".repeat(2 * chunksPerPart)}\n\nHome About us`;
    const marks = Array.from({ length: 2 * chunksPerPart }, (_, page) => ({ start: page, page }));
    const document = { text, marks, indexedLength: marks.length, contentType: "text/html" };
    const path = temporaryPath();
    const written = prepareDocument(document, path);
    if (!("parts" in written)) throw new Error("It is small.");
    const large = await takePartFile(path, written);
    const parts = [await large.readPart(0), await large.readPart(1)];
    await large.close();
    expect(parts.map((part) => part.text).join("")).toBe(text);
    expect(parts.flatMap(({ chunks }) => chunks)).toHaveLength(marks.length);
    expect(written).toMatchObject({ hash: hashText(text), parts: [{}, {}] });
  });

  it("of too many chunks is refused", async () => {
    const manyPages = Array.from({ length: 100_001 }, (_, page) => ({ start: page, page }));
    const document = { text: "x".repeat(100_001), contentType: "application/pdf", marks: manyPages };
    const path = temporaryPath();
    expect(() => prepareDocument(document, path)).toThrow(expect.objectContaining({ code: "too_large" }));
    await rm(path);
  });
});

describe("a thread", () => {
  const words = (what: string) =>
    Array.from({ length: 100 }, (_, index) => `Line ${index} of the ${what} file, with words.`);

  it.each<[string, (what: string) => Uint8Array | string]>([
    ["a.docx", (what) => docx(words(what).map((paragraph) => ({ paragraph })))],
    ["a.pdf", (what) => pdf([words(what), words(what)])],
    ["a.xlsx", (what) => xlsx({ Sheet: words(what).map((line) => [line]) })],
    [
      "a.html",
      (what) =>
        `<main>${words(what)
          .map((line) => `<p>${line.repeat(10)}</p>`)
          .join("")}</main>`,
    ],
  ])("that has read a file such as %s reads the next one", async (name, build) => {
    // With this limit a slow first attempt and the second one use the same threads.
    const limits = { ...defaultExtractionLimits, maxMemoryMb: 128 };
    await readDocument(fileInput(build("first"), name), limits);
    const onWorker = vi.fn();
    process.on("worker", onWorker);
    for (const what of ["second", "third"]) await readDocument(fileInput(build(what), name), limits);
    process.off("worker", onWorker);
    expect(onWorker).not.toHaveBeenCalled();
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
    await expect(readDocument(fileInput(bomb()), limits)).rejects.toMatchObject({ code: "too_large" });
  });

  it("of time is stopped at the deadline", async () => {
    const limits = { ...defaultExtractionLimits, timeoutMs: 1, timeoutMsPerMegabyte: 0 };
    await expect(readDocument(fileInput(bomb()), limits)).rejects.toMatchObject({ code: "timed_out" });
  });

  it("of time is stopped although it is small", async () => {
    const limits = { ...defaultExtractionLimits, timeoutMs: 2_000 };
    await expect(readDocument(fileInput(endlessDocx()), limits)).rejects.toMatchObject({ code: "timed_out" });
  });

  it("is given up when the request is", async () => {
    const controller = new AbortController();
    const caller = { client: "anyone", signal: controller.signal };
    const reading = readDocument(fileInput(bomb()), defaultExtractionLimits, caller);
    controller.abort(new Error("gone"));
    await expect(reading).rejects.toThrow("gone");
  });
});
