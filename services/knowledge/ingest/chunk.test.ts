import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Chunk } from "./chunk.ts";
import { chunkText, defaultChunkOptions, embeddingText } from "./chunk.ts";
import type { ExtractedText } from "./extract/document.ts";
import { readMarkdown } from "./extract/formats/markdown.ts";
import { readPlainText } from "./extract/formats/plain-text.ts";

const limit = 1600;

function expectWhole(document: ExtractedText, chunks: readonly Chunk[]): void {
  let covered = 0;
  for (const [position, chunk] of chunks.entries()) {
    expect(chunk.index).toBe(position);
    expect(document.text.slice(chunk.start, chunk.end)).toBe(chunk.text);
    expect(chunk.text.trim()).toBe(chunk.text);
    expect(chunk.text.length).toBeLessThanOrEqual(limit);
    expect(chunk.text.isWellFormed()).toBe(true);
    expect(document.text.slice(covered, chunk.start).trim()).toBe("");
    covered = chunk.end;
  }
  expect(document.text.slice(covered).trim()).toBe("");
}

const paragraph = (name: string, length: number) => `${name} ${"word ".repeat(length / 5)}ends.`;

describe("chunks", () => {
  it("are slices of the text that together hold all of it, whatever the text", () => {
    const line = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 300 }),
      fc.constantFrom(
        "",
        "",
        "# Heading",
        "## Sub",
        "- item",
        "| a | b |",
        "```",
        "Title\n===",
        "x".repeat(2000),
        "😀".repeat(900),
      ),
    );
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 60 }), (lines) => {
        const markdown = `start\n${lines.join("\n")}`;
        const document = readMarkdown(markdown);
        expectWhole(document, chunkText(document));
      }),
      { numRuns: 200 },
    );
  });

  it("know the sections that begin inside them", () => {
    const document = readMarkdown("Intro.\n\n# A\n\nOne.\n\n## B\n\nTwo.");
    const [chunk, ...others] = chunkText(document);
    expect(others).toEqual([]);
    expect(chunk?.heading).toBeUndefined();
    expect(chunk?.sections?.map(({ offset, heading }) => [chunk.text.slice(offset, offset + 4), heading])).toEqual([
      ["# A\n", "A"],
      ["## B", "A > B"],
    ]);
  });

  it("are one for a short text", () => {
    const document = readPlainText("Only this.");
    expect(chunkText(document)).toEqual([{ index: 0, start: 0, end: 10, text: "Only this." }]);
  });

  it("end between paragraphs and keep a paragraph whole where it fits", () => {
    const paragraphs = [paragraph("First", 900), paragraph("Second", 900), paragraph("Third", 600)];
    const chunks = chunkText(readPlainText(paragraphs.join("\n\n")));
    expect(chunks.map((chunk) => chunk.text)).toEqual([paragraphs[0], `${paragraphs[1]}\n\n${paragraphs[2]}`]);
  });

  it("end between sentences in a long paragraph", () => {
    const sentence = "It rained in Turin for nine days, and everybody counted them.";
    const chunks = chunkText(readPlainText(Array.from({ length: 80 }, () => sentence).join(" ")));
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk.text.endsWith("them.")).toBe(true);
  });

  it("end between lines in a long list, table or code block", () => {
    const code = ["```", ...Array.from({ length: 200 }, (_, line) => `call(${line}); // no blank`), "```"].join("\n");
    const table = Array.from({ length: 200 }, (_, row) => `| ${row} | value of ${row} |`).join("\n");
    for (const text of [code, table]) {
      const lines = new Set(text.split("\n"));
      const chunks = chunkText(readPlainText(text));
      expect(chunks.length).toBeGreaterThan(1);
      for (const chunk of chunks) for (const line of chunk.text.split("\n")) expect(lines).toContain(line);
    }
  });

  const rows = Array.from({ length: 200 }, (_, row) => `| ${row} | value of ${row} |`);

  it.each([
    { name: "Markdown", header: "| Row | Value |", below: "|---|:-:|", rows },
    {
      name: "Markdown without outer pipes",
      header: "Row | Value",
      below: "--- | ---",
      rows: rows.map((row) => row.slice(2, -2)),
    },
    { name: "Org mode", header: "| Row | Value |", below: "|-----+-------|", rows },
    {
      name: "Markdown in a list",
      header: "  | Row | Value |",
      below: "  | --- | --- |",
      rows: rows.map((row) => `  ${row}`),
    },
  ])("of a long table in $name hold whole rows, and those without the header name it", ({ header, below, rows }) => {
    const document = readMarkdown(["# Parts", "", "Before.", header, below, ...rows, "", "After."].join("\n"));
    const chunks = chunkText(document);
    expectWhole(document, chunks);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks[0]?.tableHeader).toBeUndefined();
    for (const chunk of chunks.slice(1)) expect(chunk.tableHeader).toBe(header.trim());
    const lines = chunks.flatMap(({ text }) => text.split("\n")).map((line) => line.trim());
    for (const row of rows) expect(lines).toContain(row.trim());
  });

  it("of a MediaWiki table never name one of its rows as its header", () => {
    const wiki = ["{|", "! Row !! Value", ...rows.flatMap((_, row) => ["|-", `| ${row} || value of ${row}`]), "|}"];
    const chunks = chunkText(readPlainText(wiki.join("\n")));
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks) expect(chunk.tableHeader).toBeUndefined();
  });

  it("of prose after a table, and of lines with pipes that are no table, have no table header", () => {
    const text = [rows[0], "|---|---|", ...rows, "", paragraph("After", 1500), "", ...rows].join("\n");
    const chunks = chunkText(readMarkdown(text));
    const after = chunks.findIndex((chunk) => chunk.text.startsWith("After"));
    expect(after).toBeGreaterThan(0);
    for (const chunk of chunks.slice(after)) expect(chunk.tableHeader).toBeUndefined();
  });

  it("of a CSV file hold whole records, also with line breaks inside quoted values, and name its header", () => {
    const records = Array.from({ length: 300 }, (_, row) => `${row},"a ""quoted"" value\nof ${row}",5" pipe`);
    const document = readPlainText(["Parts of 2026", "Row,Value,Size", ...records].join("\n"), "csv");
    const chunks = chunkText(document);
    expectWhole(document, chunks);
    expect(chunks.length).toBeGreaterThan(2);
    for (const chunk of chunks.slice(1)) {
      expect(chunk.tableHeader).toBe("Row,Value,Size");
      expect(chunk.text).toMatch(/^\d+,"a /);
    }
  });

  it.each([
    ["a title and an empty row", ["Export vom 3. Mai 2026, 12:00 Uhr;;;", ";;;"], "Export vom 3. Mai 2026, 12:00 Uhr"],
    ["values of their own", ['"Filiale";Nord;;', "Stand;03.05.2026;;", "", ""], "Filiale Nord\nStand 03.05.2026"],
    ["empty rows only", [";;;", ";;;"], undefined],
  ])("of a CSV file with %s above its header have these as text, and name the header", (_what, above, title) => {
    const records = Array.from({ length: 100 }, (_, row) => `${row};Teil ${row};${row},50;`);
    const document = readPlainText([...above, "Nr;Name;Preis;Bemerkung", ...records].join("\n"), "csv");
    expect(document.text.split("\nNr;")[0]).toBe(title === undefined ? document.text : `${title}\n`);
    const chunks = chunkText(document);
    expectWhole(document, chunks);
    for (const chunk of chunks.slice(1)) expect(chunk.tableHeader).toBe("Nr;Name;Preis;Bemerkung");
  });

  it("of a CSV file whose header lacks a name, or whose rows lack values, have nothing above the header", () => {
    for (const rows of [
      [";Januar;Februar;März", "Nord;1;2;3", "Süd;4;5;6"],
      ["a,b,c,d,e", "1,,,,", "2,,,,", "3,,4,,"],
      ["name;price", "Bread;2,80", "Cheese;3,50"],
      [Array.from({ length: 300 }, (_, column) => `column ${column}`).join(), ...Array(9).fill("1,".repeat(300) + 1)],
    ])
      expect(readPlainText(rows.join("\n"), "csv").text).toBe(rows.join("\n"));
  });

  it("of a long table are half as long as others, and a table that fits a chunk stays whole", () => {
    const listLengths = (count: number) => {
      const records = Array.from({ length: count }, (_, row) => `part ${row},${row} kg`);
      return chunkText(readPlainText(["Part,Weight", ...records].join("\n"), "csv")).map(({ text }) => text.length);
    };
    expect(Math.max(...listLengths(500))).toBeLessThanOrEqual(defaultChunkOptions.maxCharacters / 2);
    expect(listLengths(90)).toHaveLength(1);
  });

  it.each([
    { format: "markdown", header: "| Part | Use |\n|---|---|", toRow: (use: string) => `| ${use} | x |` },
    { format: "csv", header: "Part,Use", toRow: (use: string) => `"${use}",x` },
  ] as const)("of a long table hold whole rows, also rows of a thousand characters, in $format", (table) => {
    const rows = Array.from({ length: 12 }, (_, row) =>
      table.toRow(`Part ${row} ${"keeps the water out. ".repeat(50)}`),
    );
    const text = [table.header, ...rows].join("\n");
    const chunks = chunkText(table.format === "csv" ? readPlainText(text, "csv") : readMarkdown(text));
    for (const row of rows) expect(chunks.filter((chunk) => chunk.text.includes(row))).toHaveLength(1);
  });

  it("of a CSV file with a quotation mark that is never closed are cut at lines", () => {
    const records = Array.from({ length: 4_000 }, (_, row) => `${row},value of ${row}`);
    const chunks = chunkText(readPlainText(['Row,"Value', ...records].join("\n"), "csv"));
    for (const chunk of chunks.slice(1)) expect(chunk.text).toMatch(/^\d+,value of \d+\n/);
  });

  it("carry the path of their headings, and start anew at a heading", () => {
    const document = readMarkdown(
      ["# Manual", paragraph("Intro", 400), "## Install", paragraph("Run", 400), "## Use", paragraph("Type", 400)].join(
        "\n\n",
      ),
    );
    expect(chunkText(document).map(({ heading, text }) => [heading, text.split("\n")[0]])).toEqual([
      ["Manual", "# Manual"],
      ["Manual > Install", "## Install"],
      ["Manual > Use", "## Use"],
    ]);
  });

  it("join sections that are too short to stand alone, but never pages", () => {
    const short = readMarkdown("# A\n\none\n\n# B\n\ntwo");
    expect(chunkText(short)).toHaveLength(1);
    const pages = {
      ...readPlainText("one\n\ntwo"),
      marks: [
        { start: 0, page: 1 },
        { start: 5, page: 2 },
      ],
    };
    expect(chunkText(pages).map(({ page, text }) => [page, text])).toEqual([
      [1, "one"],
      [2, "two"],
    ]);
  });

  it("are cut anywhere in a megabyte without a space, never inside a pair, and in linear time", () => {
    for (const unit of ["a", "😀", "a😀"]) {
      const document = readPlainText(unit.repeat(2 ** 20 / unit.length));
      expectWhole(document, chunkText(document));
    }
    const headings = readMarkdown(Array.from({ length: 100_000 }, (_, index) => `## ${index}`).join("\n"));
    expect(chunkText(headings).length).toBeGreaterThan(400);
  });

  it("are embedded with title, place and table header", () => {
    expect(embeddingText({ text: "Run it.", heading: "Use > Start" }, "Manual")).toBe(
      "Manual > Use > Start\n\nRun it.",
    );
    expect(embeddingText({ text: "Run it." })).toBe("Run it.");
    expect(embeddingText({ text: "| 2 | b |", sheet: "Q1", tableHeader: "| Row | Value |" }, "Parts")).toBe(
      "Parts > Q1\n\n| Row | Value |\n| 2 | b |",
    );
  });
});
