import { randomBytes } from "node:crypto";
import type { DocxBlock } from "@agent-backends/testing";
import {
  docx,
  docxOfXml,
  encryptedOffice,
  epub,
  odp,
  ods,
  odt,
  openDocument,
  pdf,
  pdfWithAnnotations,
  pdfWithNamedCharacters,
  pptx,
  xlsx,
  zip,
} from "@agent-backends/testing";
import { describe, expect, it } from "vitest";
import type { ExtractedDocument } from "./document.ts";
import { extractFile } from "./extract.ts";

const listPlaces = ({ text, marks }: ExtractedDocument) =>
  marks.map(({ start, ...place }, index) => [text.slice(start, marks[index + 1]?.start).trim(), place]);

const wordDocument = (body: string, attributes = "") =>
  `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"${attributes}><w:body>${body}</w:body></w:document>`;

/** A workbook with one sheet whose part is this XML. */
const buildWorkbook = (sheet: string, separator = "/") =>
  zip([
    { name: "[content_types].xml", content: "<Types/>" },
    {
      name: `xl${separator}workbook.xml`,
      content: '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>',
    },
    {
      name: `xl${separator}_rels${separator}workbook.xml.rels`,
      content:
        '<Relationships><Relationship Id="r1" Type="x/worksheet" Target="worksheets/Sheet1.xml"/></Relationships>',
    },
    { name: `xl${separator}worksheets${separator}sheet1.xml`, content: sheet },
  ]);

const extractText = async (bytes: Uint8Array) => (await extractFile({ bytes })).text;

describe("PDF files", () => {
  it("give their text page by page, with paragraphs and the title", async () => {
    const bytes = pdf([["The first page has", "two lines.", "", "And a (second) paragraph."], ["Page two."]], {
      title: "Yearly report",
    });
    const document = await extractFile({ bytes, filename: "report.pdf" });
    expect(document).toMatchObject({
      text: "The first page has\ntwo lines.\n\nAnd a (second) paragraph.\n\nPage two.",
      title: "Yearly report",
      contentType: "application/pdf",
    });
    expect(listPlaces(document).map(([, place]) => place)).toEqual([{ page: 1 }, { page: 2 }]);
  });

  it("leave out running titles, page numbers and the table of contents, but not the lines that look like them", async () => {
    const page = (number: number) => [
      "Yearly report 2026",
      "",
      `What happened in month ${number}.`,
      "5",
      ...Array(43).fill(""),
      `${number}`,
    ];
    const contents = [
      "Contents",
      "1 Start .......... 1",
      "2 Middle 2",
      "2.1 More . . . . . . . 2",
      "2.2 Most ....... 3",
      "3 End ...... 4",
    ];
    const prices = ["Tea ....... 7", "Coffee ...... 2", "Milk ...... 9", "Water ....... 1"];
    expect(await extractText(pdf([contents, page(1), page(2), page(3), prices, ["Last page"]]))).toBe(
      `Contents\n\nWhat happened in month 1.\n5\n\nWhat happened in month 2.\n5\n\nWhat happened in month 3.\n5\n\n${prices.join("\n")}\n\nLast page`,
    );
  });

  it("leave out a table of contents whose page numbers have no dots before them, and the first lines of its long titles", async () => {
    const contents = [
      "Contents",
      "Start    Page 2",
      "Middle    Page 3",
      "More    Page 3",
      "End    Page 4",
      "",
      "Welcome.",
    ];
    const dotted = [
      "1 How to begin ..... 6",
      "2 What to do when",
      "it has begun ..... 7",
      "3 Ends ..... 8",
      "4 After ..... 9",
    ];
    const prices = ["Tea 12", "Coffee 30", "Milk 41", "Water 50"];
    const text = await extractText(
      pdf([contents, ["Start"], ["Middle", "More"], ["End"], [...dotted, "", "Now."], prices]),
    );
    expect(text).toBe(
      "Contents\n\nWelcome.\n\nStart\n\nMiddle\nMore\n\nEnd\n\nNow.\n\nTea 12\nCoffee 30\nMilk 41\nWater 50",
    );
  });

  it("give tables without rules as Markdown, with their chunks' places", async () => {
    const rows = [
      "Stock of May",
      "",
      "Article    Price     Left",
      "Tea        12        3",
      "Coffee     3         40",
      "Milk       4         7",
    ];
    expect(await extractText(pdf([rows]))).toBe(
      "Stock of May\n\n| Article | Price | Left |\n| --- | --- | --- |\n| Tea | 12 | 3 |\n| Coffee | 3 | 40 |\n| Milk | 4 | 7 |",
    );
  });

  it.each([
    ["is on every page", [1, 2, 3]],
    ["is only on the first page", [1]],
  ])(
    "name the columns of a long table on each page if its header %s, and keep all of its rows",
    async (_what, withHeader) => {
      const toPage = (number: number) => [
        ...(withHeader.includes(number) ? ["Article    Price    Left"] : []),
        ...[1, 2, 3].map((row) => `Tea ${number}${row}    ${row}2        ${number}`),
      ];
      const header = "| Article | Price | Left |\n| --- | --- | --- |";
      const toTable = (number: number) =>
        [header, ...[1, 2, 3].map((row) => `| Tea ${number}${row} | ${row}2 | ${number} |`)].join("\n");
      const numbers = [1, 2, 3];
      expect(await extractText(pdf(numbers.map(toPage)))).toBe(numbers.map(toTable).join("\n\n"));
    },
  );

  it("have the headings of their outline at its lines", async () => {
    const bytes = pdf(
      [
        ["Intro", "", "Words."],
        ["More words.", "1 Start", "First.", "1.1 Detail", "Second."],
      ],
      {
        outline: [
          { title: "Start", page: 1, inner: [{ title: "1.1 Detail", page: 1 }] },
          { title: "Nowhere", page: 7 },
        ],
      },
    );
    expect(listPlaces(await extractFile({ bytes }))).toEqual([
      ["Intro\n\nWords.", { page: 1 }],
      ["More words.", { page: 2 }],
      ["1 Start\nFirst.", { page: 2, heading: "Start" }],
      ["1.1 Detail\nSecond.", { page: 2, heading: "Start > 1.1 Detail" }],
    ]);
  });

  it("have the lines in larger letters as headings if there is no outline", async () => {
    const words = "Words of the text in letters of the usual size.";
    const bytes = pdf([
      ["# Cleaning", "", words, words],
      [words, "", "# A guarantee", "# for two years", "", words],
    ]);
    expect(listPlaces(await extractFile({ bytes }))).toEqual([
      [`# Cleaning\n\n${words}\n${words}`, { page: 1, heading: "Cleaning" }],
      [words, { page: 2, heading: "Cleaning" }],
      [`# A guarantee for two years\n\n${words}`, { page: 2, heading: "A guarantee for two years" }],
    ]);
    // Everything on a slide is large.
    expect(listPlaces(await extractFile({ bytes: pdf([["# Welcome", "to us"]]) }))).toEqual([
      ["Welcome\n\nto us", { page: 1 }],
    ]);
  });

  it("have bold lines that stand alone as headings, but neither bold sentences nor bold lists", async () => {
    const words = "Words of the text in letters of the usual weight, which are many.";
    const lines = [words, "", "** 1. Cleaning", words, "", "** 2. Guarantee", "** for two years", words, ""];
    const bold = [
      "** Whoever opens the device",
      "loses the guarantee.",
      "",
      ...["A", "B", "C", "D", "E"].map((x) => `** ${x} is bold`),
    ];
    const places = listPlaces(await extractFile({ bytes: pdf([[...lines, ...bold, "", words]]) }));
    expect(places.map(([, place]) => place)).toEqual([
      { page: 1 },
      { page: 1, heading: "1. Cleaning" },
      { page: 1, heading: "2. Guarantee for two years" },
    ]);
    expect(places.map(([text]) => `${text}`.split("\n")[0])).toEqual([
      words,
      "# 1. Cleaning",
      "# 2. Guarantee for two years",
    ]);
  });

  it("leave out a title beside a logo, further from the edge, that is on most pages", async () => {
    const page = (text: string) => ["", "", "Ministry of Tea", "", text, ...Array(20).fill(""), "The end."];
    const text = await extractText(pdf([page("One."), page("Two."), page("Three."), page("Four."), ["Five."]]));
    expect(text).not.toContain("Ministry");
    expect(
      await extractText(pdf([page("One."), page("Two."), page("Three."), ...[4, 5, 6].map(() => ["More."])])),
    ).toContain("Ministry");
  });

  it("make words whole that were divided at a line's end", async () => {
    expect(await extractText(pdf([["A long exam-", "ple of 1-", "2 hours"]]))).toBe("A long example of 1-\n2 hours");
  });

  it("count pages without text, and are refused when no page has any", async () => {
    const document = await extractFile({ bytes: pdf([[], ["Only here."]]) });
    expect(document.marks).toEqual([{ start: 0, page: 2 }]);
    await expect(extractFile({ bytes: pdf([[], []]) })).rejects.toMatchObject({
      code: "no_text",
      message: expect.stringContaining("KNOWLEDGE_OCR_URL"),
    });
  });

  it("give East Asian text whose characters they only name by a table", async () => {
    const shiftJis = Buffer.from("93fa967b8cea82cc95b68fcd", "hex");
    expect(await extractText(pdfWithNamedCharacters(shiftJis, "90ms-RKSJ-H"))).toBe("日本語の文章");
  });

  it("give what was filled into a form and written on a page, but no hidden and no secret fields", async () => {
    const bytes = pdfWithAnnotations([
      "/Subtype /FreeText /Contents (Checked by Bob)",
      "/Subtype /Widget /FT /Tx /T (n) /TU (Your name) /V (Ada Lovelace)",
      "/Subtype /Widget /FT /Ch /Ff 131072 /T (c) /Opt [[(r) (Red)] [(b) (Blue)]] /V (b)",
      "/Subtype /Widget /FT /Tx /T (h) /F 2 /V (unseen)",
      "/Subtype /Widget /FT /Tx /Ff 8192 /T (p) /V (secret)",
      "/Subtype /Widget /FT /Tx /T (e) /TU (Left empty)",
    ]);
    expect(await extractText(bytes)).toBe("Checked by Bob\n\nYour name: Ada Lovelace\n\nBlue");
  });

  it("have no title when a program wrote a file name there", async () => {
    expect((await extractFile({ bytes: pdf([["x"]], { title: "Microsoft Word - draft.doc" }) })).title).toBeUndefined();
  });

  it("are refused with the reason when encrypted, damaged, or no PDF", async () => {
    const secret = pdf([["Secret"]], { password: "open sesame" });
    await expect(extractFile({ bytes: secret })).rejects.toMatchObject({ code: "encrypted" });
    const whole = pdf([["Some text"], ["more"]]);
    await expect(extractFile({ bytes: whole.slice(0, 300) })).rejects.toMatchObject({ code: "damaged" });
    await expect(extractFile({ bytes: Buffer.from("no pdf"), filename: "a.pdf" })).rejects.toMatchObject({
      code: "damaged",
    });
  });
});

describe("Word files", () => {
  const blocks: DocxBlock[] = [
    { heading: "Guide", level: 1 },
    { paragraph: "Tea & <biscuits>" },
    { heading: "Brewing", level: 2 },
    { bullet: "boil" },
    { bullet: "wait" },
    {
      table: [
        ["kind", "minutes"],
        ["green", "2 | 3"],
      ],
    },
  ];

  it("give headings, lists and tables as Markdown, with the headings marked", async () => {
    const document = await extractFile({ bytes: docx(blocks, { title: "Tea" }), filename: "tea.docx" });
    expect(document.title).toBe("Tea");
    expect((await extractFile({ bytes: docx(blocks), filename: "tea.docx" })).title).toBe("Guide");
    expect(listPlaces(document)).toEqual([
      ["# Guide\n\nTea & <biscuits>", { heading: "Guide" }],
      [
        "## Brewing\n\n- boil\n- wait\n\n| kind | minutes |\n| --- | --- |\n| green | 2 \\| 3 |",
        { heading: "Guide > Brewing" },
      ],
    ]);
  });

  it("repeat merged cells, and join the rows of a table's header", async () => {
    const cell = (text: string, properties = "") =>
      `<w:tc><w:tcPr>${properties}</w:tcPr><w:p><w:r><w:t>${text}</w:t></w:r></w:p></w:tc>`;
    const row = (cells: string, isHeader = false) =>
      `<w:tr><w:trPr>${isHeader ? "<w:tblHeader/>" : ""}</w:trPr>${cells}</w:tr>`;
    const [start, goesOn] = ['<w:vMerge w:val="restart"/>', "<w:vMerge/>"];
    const table = [
      row(cell("City", start) + cell("Sales", '<w:gridSpan w:val="2"/>'), true),
      row(cell("", goesOn) + cell("2025") + cell("2026"), true),
      row(cell("Bern", start) + cell("1") + cell("2")),
      row(cell("", goesOn) + cell("none", '<w:gridSpan w:val="2"/>')),
    ].join("");
    expect(await extractText(docxOfXml(wordDocument(`<w:tbl>${table}</w:tbl>`)))).toBe(
      "| City | Sales 2025 | Sales 2026 |\n| --- | --- | --- |\n| Bern | 1 | 2 |\n| Bern | none | none |",
    );
  });

  it("keep what is raised or lowered apart, and leave out what is struck out", async () => {
    const run = (text: string, properties = "") =>
      `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const raised = '<w:vertAlign w:val="superscript"/>';
    const runs =
      run("10") +
      run("1", raised) +
      run("6", raised) +
      run(" of H") +
      run("2", '<w:vertAlign w:val="subscript"/>') +
      run("O,") +
      run(" never", "<w:strike/>") +
      run(" always");
    expect(await extractText(docxOfXml(wordDocument(`<w:p>${runs}</w:p>`)))).toBe("10^16 of H2O, always");
  });

  it("leave out what Word hides, by itself or by a style, and title nothing by it", async () => {
    const properties = (list: string) => `<w:rPr>${list}</w:rPr>`;
    const run = (text: string, list = "") => `<w:r>${properties(list)}<w:t xml:space="preserve">${text}</w:t></w:r>`;
    const paragraph = (style: string, ...runs: string[]) =>
      `<w:p><w:pPr><w:pStyle w:val="${style}"/></w:pPr>${runs.join("")}</w:p>`;
    const style = (id: string, list: string) =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${id}"/>${properties(list)}</w:style>`;
    const body = [
      paragraph("Heading1", run("Secret", "<w:vanish/>")),
      paragraph("Heading1", run("Draft ", "<w:strike/>"), run("Café"), run(" 2", '<w:vanish w:val="true"></w:vanish>')),
      paragraph(
        "Body",
        run("Seen"),
        run(", and this too", '<w:vanish w:val="0"/>'),
        run(" HIDDEN", "<w:b/><w:vanish/>"),
      ),
      paragraph("Internal", run("For us."), run("For all.", '<w:vanish w:val="false"/>')),
    ];
    const styles = style("Heading1", "<w:b/>") + style("Internal", "<w:vanish/>");
    const document = await extractFile({ bytes: docxOfXml(wordDocument(body.join("")), { styles }) });
    expect(document.text).toBe("# Café\n\nSeen, and this too\n\nFor all.");
    expect(document.title).toBe("Café");
  });

  it("keep hyphens without a break and symbols, and lose hyphens that only may be", async () => {
    const symbol = (font: string, char: string) => `<w:sym w:font="${font}" w:char="${char}"/>`;
    const run =
      '<w:r><w:t>e</w:t><w:noBreakHyphen/><w:t>mail, co</w:t><w:softHyphen/><w:t xml:space="preserve">operate </w:t>' +
      `${symbol("Symbol", "F061")}${symbol("Wingdings", "F0FC")}${symbol("Wingdings", "F021")}${symbol("Arial", "2265")}</w:r>`;
    expect(await extractText(docxOfXml(wordDocument(`<w:p>${run}</w:p>`)))).toBe("e\u2011mail, cooperate α✓≥");
  });

  it("are told by their content, whatever their name", async () => {
    const document = await extractFile({ bytes: docx(blocks), filename: "tea.pdf", contentType: "image/png" });
    expect(document.contentType).toContain("wordprocessingml");
    expect((await extractFile({ bytes: pdf([["x"]]), filename: "x.docx" })).contentType).toBe("application/pdf");
  });

  it("are refused with the reason when empty, encrypted, truncated, malformed, or another archive", async () => {
    const reasons = [
      [docx([]), "no_text"],
      [encryptedOffice(), "encrypted"],
      [docx(blocks).slice(0, 900), "damaged"],
      [docxOfXml("<w:document><w:body>"), "damaged"],
      [zip([{ name: "notes.txt", content: "hello" }]), "damaged"],
    ] as const;
    for (const [bytes, code] of reasons) {
      await expect(extractFile({ bytes, filename: "a.docx" })).rejects.toMatchObject({ code });
    }
    const archive = zip([{ name: "notes.txt", content: "hello" }]);
    await expect(extractFile({ bytes: archive, filename: "a.zip" })).rejects.toMatchObject({ code: "unsupported" });
  });

  it("keep formulas and notes in their sentence", async () => {
    const math = "http://schemas.openxmlformats.org/officeDocument/2006/math";
    const run = (text: string) => `<w:r><w:t xml:space="preserve">${text}</w:t></w:r>`;
    const formula = "<m:oMath><m:r><m:t>E=mc</m:t></m:r></m:oMath>";
    const paragraph = `<w:p>${run("As ")}${formula}${run(" says, ")}${run("mass counts.")}</w:p>`;
    const bytes = docxOfXml(wordDocument(paragraph, ` xmlns:m="${math}"`));
    expect(await extractText(bytes)).toBe("As E=mc says, mass counts.");
  });

  const declaration = '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>';
  const root = wordDocument("<w:p><w:r><w:t>before &f; after</w:t></w:r></w:p>");
  it.each([
    ["", '<?xml version="1.0"?>'],
    ["behind a comment", `<?xml version="1.0"?><!--${"x".repeat(5_000)}-->`],
    ["behind a comment that never seems to end", `<!--${randomBytes(40_000).toString("hex")}-->`],
    ["behind an instruction", "<?a <b>?>\n"],
  ])("can't read other files or swell by entities declared %s", async (_where, prolog) => {
    const withEntity = docxOfXml(prolog + declaration + root);
    await expect(extractFile({ bytes: withEntity })).rejects.toMatchObject({ code: "damaged" });
  });

  it("can't hide such a declaration in UTF-16", async () => {
    const xml = Buffer.from(`\uFEFF${declaration}${root}`, "utf16le");
    const bytes = zip([
      { name: "[Content_Types].xml", content: "<Types/>" },
      { name: "word/document.xml", content: xml },
    ]);
    await expect(extractFile({ bytes, filename: "a.docx" })).rejects.toMatchObject({
      message: expect.stringContaining("entities"),
    });
  });

  it("may have the declarations that OpenOffice and LibreOffice write into the list of parts, and into macros and formulas", async () => {
    const text =
      '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"><office:body><office:text><text:p>Words</text:p></office:text></office:body></office:document-content>';
    const declaration = '<!DOCTYPE manifest:manifest PUBLIC "-//OpenOffice.org//DTD Manifest 1.0//EN" "Manifest.dtd">';
    const macro =
      '<!DOCTYPE script:module PUBLIC "-//OpenOffice.org//DTD OfficeDocument 1.0//EN" "module.dtd"><script:module xmlns:script="http://openoffice.org/2000/script"/>';
    const formula =
      '<!DOCTYPE math:math PUBLIC "-//OpenOffice.org//DTD Modified W3C MathML 1.01//EN" "math.dtd"><math:math xmlns:math="http://www.w3.org/1998/Math/MathML"/>';
    const file = (type: string) =>
      zip([
        { name: "mimetype", content: "application/vnd.oasis.opendocument.text" },
        { name: "Basic/Standard/module.xml", content: macro },
        { name: "Object 1/content.xml", content: formula },
        { name: "content.xml", content: text },
        {
          name: "META-INF/manifest.xml",
          content: `${type}<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"/>`,
        },
      ]);
    expect(await extractText(file(declaration))).toBe("Words");
    const hostile = declaration.replace('">', '" [<!ENTITY a "b">]>');
    await expect(extractFile({ bytes: file(hostile) })).rejects.toMatchObject({ code: "damaged" });
  });

  it("may begin with a comment", async () => {
    const bytes = docxOfXml(`<?xml version="1.0"?>\n<!-- made by hand -->\n${root.replace("&f;", "and")}`);
    expect(await extractText(bytes)).toBe("before and after");
  });
});

describe("an archive whose parts name places outside of it", () => {
  it.each(["../../../../etc/passwd", "/etc/passwd", "..\\..\\windows\\win.ini", "C:\\secret.xml"])(
    "is read for its own parts alone: %s",
    async (name) => {
      const body = wordDocument("<w:p><w:r><w:t>Only this.</w:t></w:r></w:p>");
      const bytes = zip([
        { name: "[Content_Types].xml", content: "<Types/>" },
        { name: "word/document.xml", content: body },
        { name, content: "<x>outside</x>" },
      ]);
      expect((await extractFile({ bytes, filename: "a.docx" })).text).toBe("Only this.");
    },
  );

  it("is a workbook also where its writer put backslashes and small letters into the names of its parts", async () => {
    const sheet = '<worksheet><sheetData><row><c t="inlineStr"><is><t>tea</t></is></c></row></sheetData></worksheet>';
    const bytes = buildWorkbook(sheet, "\\");
    expect((await extractFile({ bytes, filename: "a.xlsx" })).text).toContain("tea");
  });

  it("is not a workbook whose sheets lie elsewhere", async () => {
    const relation = '<Relationship Id="r1" Type="x/worksheet" Target="../../../../../etc/passwd"/>';
    const bytes = zip([
      { name: "[Content_Types].xml", content: "<Types/>" },
      { name: "xl/workbook.xml", content: '<workbook><sheets><sheet name="S" r:id="r1"/></sheets></workbook>' },
      { name: "xl/_rels/workbook.xml.rels", content: `<Relationships>${relation}</Relationships>` },
    ]);
    await expect(extractFile({ bytes, filename: "a.xlsx" })).rejects.toMatchObject({ code: "no_text" });
  });
});

describe("other office files", () => {
  it.each([
    "PowerPoint Presentation",
    "PowerPoint-Präsentation",
    "Présentation PowerPoint",
    "Presentación de PowerPoint",
    "PowerPoint プレゼンテーション",
  ])("have the title of their first heading when a program named them %j", async (title) => {
    const bytes = docx([{ heading: "Plan", level: 1 }, { paragraph: "We start." }], { title });
    expect((await extractFile({ bytes })).title).toBe("Plan");
  });

  it("give slides", async () => {
    const document = await extractFile({
      bytes: pptx([
        ["Plan", "We start."],
        ["Costs", "We pay."],
      ]),
    });
    expect(listPlaces(document)).toEqual([
      ["# Plan\n\nWe start.", { slide: 1, heading: "Plan" }],
      ["# Costs\n\nWe pay.", { slide: 2, heading: "Costs" }],
    ]);
  });

  it("give slides and speaker's notes without the number of the slide", async () => {
    const shown = (texts: readonly string[]) =>
      texts.map((text) => `<draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`).join("");
    const slide = (texts: readonly string[], notes: readonly string[]) =>
      `<draw:page>${shown(texts)}<presentation:notes xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0">${shown(notes)}</presentation:notes></draw:page>`;
    const bytes = openDocument(
      "presentation",
      slide(["Plan", "We start.", "1"], ["Speak up.", "&lt;number&gt;"]) +
        slide(["2", "of a kind", "are more", "than", "one"], ["2"]),
    );
    const document = await extractFile({ bytes });
    expect(listPlaces(document)).toEqual([
      ["Plan\n\nWe start.\n\nSpeak up.", { slide: 1 }],
      ["2\n\nof a kind\n\nare more\n\nthan\n\none", { slide: 2 }],
    ]);
  });

  it("say what to do when they are of an Office format that can't be read", async () => {
    const workbook = zip([
      { name: "[Content_Types].xml", content: "<Types/>" },
      { name: "xl/workbook.bin", content: "x" },
    ]);
    await expect(extractFile({ bytes: workbook, filename: "a.xlsb" })).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("save it as DOCX, XLSX or PPTX"),
    });
  });

  it("give sheets", async () => {
    const document = await extractFile({
      bytes: xlsx({
        Prices: [
          ["item", "price"],
          ["tea", "3"],
        ],
        Notes: [["cheap"]],
      }),
    });
    expect(listPlaces(document)).toEqual([
      ["| item | price |\n| --- | --- |\n| tea | 3 |", { sheet: "Prices" }],
      ["| cheap |\n| --- |", { sheet: "Notes" }],
    ]);
  });

  it("repeat merged cells in sheets, and have a sheet's title above its table", async () => {
    const rows = [
      ["Sales of 2026", "", ""],
      ["Region", "City", "Sum"],
      ["North", "Kiel", "1"],
      ["", "Bremen", "2"],
    ];
    const merges = ["A1:C1", "A3:A4"];
    for (const mergedCells of [merges, [...merges, "XFD1:XFD1048576", "A5:ZZZ9999999"]]) {
      const bytes = xlsx({ Sales: rows }, { mergedCells });
      expect(await extractText(bytes)).toBe(
        "Sales of 2026\n\n| Region | City | Sum |\n| --- | --- | --- |\n| North | Kiel | 1 |\n| North | Bremen | 2 |",
      );
    }
  });

  it("have a sheet's title above its table also where both begin beside an empty column", async () => {
    const rows = [
      ["", "Ducks per year", ""],
      ["", "Year", "Ducks"],
      ["", "2019", "120"],
    ];
    const table = "|  | Year | Ducks |\n| --- | --- | --- |\n|  | 2019 | 120 |";
    expect(await extractText(xlsx({ Ducks: rows }))).toBe(`Ducks per year\n\n${table}`);
    expect(await extractText(ods({ Ducks: rows }))).toBe(`Ducks per year\n\n${table}`);
    // The only name above values is no title.
    const named = [
      ["", "Price"],
      ["Tea", "3"],
      ["Milk", "4"],
    ];
    expect(await extractText(xlsx({ Prices: named }))).toBe("|  | Price |\n| --- | --- |\n| Tea | 3 |\n| Milk | 4 |");
  });

  it("give each of a sheet's tables its own header, and keep groups of rows in one table", async () => {
    const rows = [
      ["Drinks", ""],
      ["Item", "Price"],
      ["Tea", "3"],
      [],
      ["Iced tea", "4"],
      [],
      ["Opening hours", ""],
      [],
      ["Day", "From"],
      ["Monday", "9:00"],
      ["Tuesday", "10:00"],
      [],
      ["Closed", "on Sunday"],
    ];
    const tables = [
      "Drinks\n\n| Item | Price |\n| --- | --- |\n| Tea | 3 |\n| Iced tea | 4 |",
      "Opening hours\n\n| Day | From |\n| --- | --- |\n| Monday | 9:00 |\n| Tuesday | 10:00 |\n| Closed | on Sunday |",
    ];
    expect(await extractText(xlsx({ Bar: rows }))).toBe(tables.join("\n\n"));
    expect(await extractText(ods({ Bar: rows }))).toBe(tables.join("\n\n"));
  });

  it("join a sheet's second header row, whose names stand below merged ones", async () => {
    const rows = [
      ["Sorte", "250 g", "", "1 kg", ""],
      ["", "netto", "brutto", "netto", "brutto"],
      ["Sidamo", "8.5", "9.1", "29", "31.03"],
    ];
    const bytes = xlsx({ Bohnen: rows }, { mergedCells: ["A1:A2", "B1:C1", "D1:E1"] });
    expect((await extractText(bytes)).split("\n")).toEqual([
      "| Sorte | 250 g netto | 250 g brutto | 1 kg netto | 1 kg brutto |",
      "| --- | --- | --- | --- | --- |",
      "| Sidamo | 8.5 | 9.1 | 29 | 31.03 |",
    ]);
  });

  it("give the dates of sheets as dates, and numbers in their format", async () => {
    const rows = (format: string, ...numbers: number[]) => numbers.map((number) => [{ number, format }]);
    const cells = [
      ...rows("yyyy-mm-dd", 45352, 1, 60),
      ...rows('[$-409]d" of "mmm\\ yy;@', 45352),
      ...rows("m/d/yy h:mm", 45352.5625),
      ...rows("h:mm AM/PM", 0.75),
      ...rows("[h]:mm", 1.25),
      ...rows('#,##0.00 "days"', 45352.5),
      ...rows("[Red]0.0%", 0.10000000000000001),
      ...rows("General", 45352),
    ];
    const text = await extractText(xlsx({ Days: [["a|b"], ...cells] }));
    expect(text.split("\n").slice(2)).toEqual(
      [
        "2024-03-01",
        "1900-01-01",
        "1900-02-28",
        "2024-03-01",
        "2024-03-01 13:30:00",
        "18:00:00",
        "30:00:00",
        "45,352.50 days",
        "10.0%",
        "45352",
      ].map((shown) => `| ${shown} |`),
    );
    const mac = await extractFile({ bytes: xlsx({ Days: rows("d/m/yy", 43890) }, { date1904: true }) });
    expect(mac.text).toContain("2024-03-01");
  });

  it("leave out hidden slides and their notes", async () => {
    const bytes = pptx([["Plan", "We start."], ["Secret"], ["Costs"]], { hidden: [1] });
    expect(listPlaces(await extractFile({ bytes }))).toEqual([
      ["# Plan\n\nWe start.", { slide: 1, heading: "Plan" }],
      ["# Costs", { slide: 3, heading: "Costs" }],
    ]);
  });

  it("leave out rows, columns and words that a sheet hides or strikes out, but not what a filter or a group hides", async () => {
    const row = (attributes: string, ...texts: string[]) =>
      `<row ${attributes}>${texts.map((text) => `<c t="inlineStr"><is>${text}</is></c>`).join("")}</row>`;
    const text = (word: string) => `<t>${word}</t>`;
    const struck = (word: string) => `<r><rPr><strike/></rPr>${text(word)}</r><r>${text("now")}</r>`;
    const rows =
      row("", text("a"), text("secret"), text("c")) +
      row('hidden="1"', text("secret")) +
      row('hidden="1" outlineLevel="1"', text("grouped"), text("secret")) +
      row("", text("d"), text("secret"), struck("secret"));
    const sheet = (after: string) =>
      `<worksheet><cols><col min="2" max="2" hidden="1"/></cols><sheetData>${rows}</sheetData>${after}</worksheet>`;
    const plain = await extractFile({ bytes: buildWorkbook(sheet("")) });
    expect(plain.text).toBe("| a | c |\n| --- | --- |\n| grouped |\n| d | now |");
    const filtered = await extractFile({
      bytes: buildWorkbook(sheet('<autoFilter><filterColumn colId="0"/></autoFilter>')),
    });
    expect(filtered.text).toContain("| secret |\n| grouped |");
  });

  it("leave out hidden sheets", async () => {
    const sheets = { Prices: [["tea"]], Costs: [["secret"]], Macros: [["secret"]] };
    const bytes = xlsx(sheets, { states: { Costs: "hidden", Macros: "veryHidden", Prices: "visible" } });
    expect(listPlaces(await extractFile({ bytes }))).toEqual([["| tea |\n| --- |", { sheet: "Prices" }]]);
    const all = xlsx({ Costs: [["secret"]] }, { states: { Costs: "hidden" } });
    await expect(extractFile({ bytes: all })).rejects.toMatchObject({ code: "no_text" });
  });

  it.each([
    [0.25, "0%", "25%"],
    [0.07, "0.0 %", "7.0 %"],
    [1234.5, '#,##0.00 "EUR"', "1,234.50 EUR"],
    [1234.5, "#.##0,00 €", "1,234.50 €"],
    [1234567.8, "[$CHF-807]\\ #'##0.00", "CHF 1,234,567.80"],
    [1234.5, "#\\ ##0,0 €;[Red]-#\\ ##0,0 €", "1,234.5 €"],
    [1.005, "0.00\\ [$€-407]", "1.01 €"],
    [-1234.5, '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', "-1,234.50 €"],
    [0, '_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-;_-* "-"??\\ "€"_-;_-@_-', "- €"],
    [-12345.6, "$#,##0_);[Red]($#,##0)", "($12,346)"],
    [-5, "$0", "-$5"],
    [12_345_678, '#,##0.0,,"M"', "12.3M"],
    [25, "#,", ""],
    [123, "00000", "00123"],
    [0.5, "#.0#", ".5"],
    [12.5, 'General" kg"', "12.5 kg"],
    [42, ";;;", ""],
    // Shown as they are stored.
    [0.5, "# ?/?", "0.5"],
    [12345, "0.00E+00", "12345"],
    [2500, '[>1000]0,"k";0', "2500"],
    [1234567, "000-0000", "1234567"],
    [3, '0"unclosed', "3"],
    [3, `${"0".repeat(30)}`, "3"],
  ])("show the number %s in the format %s as %s", async (number, format, shown) => {
    const text = await extractText(
      xlsx({
        a: [
          ["x", "y"],
          ["z", { number, format }],
        ],
      }),
    );
    expect(text.split("\n")[2]).toBe(shown === "" ? "| z |" : `| z | ${shown} |`);
  });

  it("give OpenDocument sheets and slides", async () => {
    const sheets = await extractFile({ bytes: ods({ Prices: [["item", "price"]], Notes: [["cheap"]] }) });
    expect(listPlaces(sheets)).toEqual([
      ["| item | price |\n| --- | --- |", { sheet: "Prices" }],
      ["| cheap |\n| --- |", { sheet: "Notes" }],
    ]);
    const slides = await extractFile({ bytes: odp([["Plan", "We start."], ["Costs"]]) });
    expect(listPlaces(slides)).toEqual([
      ["Plan\n\nWe start.", { slide: 1 }],
      ["Costs", { slide: 2 }],
    ]);
  });

  it("keep the columns of sheets where cells are empty", async () => {
    expect(
      await extractText(
        ods({
          Prices: [
            ["item", "", "price"],
            ["", "tea"],
          ],
        }),
      ),
    ).toBe("| item |  | price |\n| --- | --- | --- |\n|  | tea |");
  });

  it("say so when a book is protected against copying", async () => {
    const cipher = (name: string) =>
      `<EncryptedData><EncryptionMethod Algorithm="http://www.w3.org/2001/04/xmlenc#aes128-cbc"/><CipherData><CipherReference URI="${name}"/></CipherData></EncryptedData>`;
    const protection = { name: "META-INF/encryption.xml", content: `<encryption>${cipher("c0.xhtml")}</encryption>` };
    await expect(extractFile({ bytes: epub("Saga", ["<p>x</p>"], [protection]) })).rejects.toMatchObject({
      code: "encrypted",
    });
  });

  it("of Word have their headings whatever the language of their styles, numbered or not", async () => {
    const style = (id: string, name: string, rest = "") =>
      `<w:style w:type="paragraph" w:styleId="${id}"><w:name w:val="${name}"/>${rest}</w:style>`;
    const styles = [
      style("berschrift1", "heading 1"),
      style("Titre2", "heading 2", '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>'),
      style("eigene", "Meine Kapitel", '<w:basedOn w:val="berschrift1"/>'),
      style("toc", "TOC Heading", '<w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr>'),
      style("kreis", "A", '<w:basedOn w:val="kreis"/>'),
    ];
    const paragraph = (properties: string, text: string) =>
      `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
    const styled = (id: string, text: string, rest = "") => paragraph(`<w:pStyle w:val="${id}"/>${rest}`, text);
    const number = '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>';
    const body = [
      styled("toc", "Inhalt"),
      styled("berschrift1", "Kunden", number),
      styled("Titre2", "Clients"),
      paragraph('<w:outlineLvl w:val="2"/>', "Neu"),
      styled("kreis", "Text."),
      styled("berschrift1", "Kein Kapitel", '<w:outlineLvl w:val="9"/>'),
      styled("eigene", "Ende"),
    ];
    const document = `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body.join("")}</w:body></w:document>`;
    const text = await extractFile({ bytes: docxOfXml(document, { styles: styles.join("") }) });
    expect(text.text).toContain("Inhalt\n\n# Kunden\n\n## Clients\n\n### Neu\n\nText.");
    expect(listPlaces(text).at(-1)?.[1]).toEqual({ heading: "Ende" });
    expect(listPlaces(text).map(([, place]) => place)).toContainEqual({ heading: "Kunden > Clients > Neu" });
    expect(text.text).not.toContain("# Kein Kapitel");
  });

  it("give OpenDocument text, EPUB chapters and RTF", async () => {
    const text = await extractFile({
      bytes: odt('<text:h text:outline-level="1">Head</text:h><text:p>Body.</text:p>'),
    });
    expect(listPlaces(text)).toEqual([["# Head\n\nBody.", { heading: "Head" }]]);
    // Some converters count from 0.
    const fromZero = '<text:h text:outline-level="0">Book</text:h><text:h text:outline-level="1">Part</text:h>';
    expect(listPlaces(await extractFile({ bytes: odt(`${fromZero}<text:p>Body.</text:p>`) })).at(-1)?.[1]).toEqual({
      heading: "Book > Part",
    });
    const numbered =
      '<text:list><text:list-item><text:h text:outline-level="2">Part</text:h><text:list><text:list-item><text:p>x</text:p></text:list-item></text:list></text:list-item></text:list>';
    expect(await extractText(odt(numbered))).toBe("## Part\n\nx");
    const table =
      '<table:table><table:table-row><table:table-cell table:number-columns-spanned="2"><text:p>A</text:p></table:table-cell><table:covered-table-cell/><table:table-cell><text:p>B</text:p></table:table-cell></table:table-row><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell><table:table-cell><text:p>3</text:p></table:table-cell></table:table-row></table:table>';
    expect(await extractText(odt(table))).toBe("| A | A | B |\n| --- | --- | --- |\n| 1 | 2 | 3 |");
    const book = await extractFile({
      bytes: epub("Saga", ["<h1>One</h1><p>It began.</p>", "<h1>Two</h1><p>It ended.</p>"]),
    });
    expect(book).toMatchObject({ title: "Saga", language: "en" });
    expect(listPlaces(book)).toEqual([
      ["# One\n\nIt began.", { heading: "One" }],
      ["# Two\n\nIt ended.", { heading: "Two" }],
    ]);
    expect(await extractText(Buffer.from("{\\rtf1\\ansi Hello {\\b bold}\\par caf\\'e9}"))).toBe("Hello bold\n\ncafé");
  });

  it("leave out what OpenDocument and RTF hide", async () => {
    const style = (name: string, properties: string) =>
      `<style:style style:name="${name}" style:family="text">${properties}</style:style>`;
    const hidden = style("h", '<style:text-properties text:display="none"/>');
    const words = openDocument(
      "text",
      '<text:p>Seen<text:span text:style-name="h"> secret</text:span></text:p>',
      hidden,
    );
    expect(await extractText(words)).toBe("Seen");
    const table = (name: string, attributes: string) =>
      `<table:table table:name="${name}" ${attributes}><table:table-row><table:table-cell><text:p>${name}</text:p></table:table-cell></table:table-row></table:table>`;
    const sheets = openDocument(
      "spreadsheet",
      table("Secret", 'table:style-name="h"') + table("Prices", 'table:style-name="s"'),
      style("h", '<style:table-properties table:display="false"/>') +
        style("s", '<style:table-properties table:display="true"/>'),
    );
    expect(listPlaces(await extractFile({ bytes: sheets }))).toEqual([["| Prices |\n| --- |", { sheet: "Prices" }]]);
    const slides = openDocument(
      "presentation",
      '<draw:page draw:style-name="h"><draw:frame><draw:text-box><text:p>Secret</text:p></draw:text-box></draw:frame></draw:page>' +
        "<draw:page><draw:frame><draw:text-box><text:p>Plan</text:p></draw:text-box></draw:frame></draw:page>",
      style("h", '<style:drawing-page-properties presentation:visibility="hidden"/>'),
    );
    expect(listPlaces(await extractFile({ bytes: slides }))).toEqual([["Plan", { slide: 2 }]]);
    const rtf = String.raw`{\rtf1\ansi Seen{\v  secret} and \v secret\v0 read}`;
    expect(await extractText(Buffer.from(rtf))).toBe("Seen and read");
  });

  it("keep the dashes, dots and signs that RTF has words for", async () => {
    const rtf = String.raw`{\rtf1\ansi 1914\endash 1918\emdash all of it: e\_mail, 5\~km, \bullet  C:\\~x}`;
    expect(await extractText(Buffer.from(rtf))).toBe("1914–1918—all of it: e‑mail, 5\u00a0km, • C:\\~x");
  });
});
