import type { ZipPart } from "./zip.ts";
import { escapeXml, zip } from "./zip.ts";

const declaration = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const wordNamespace = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"';
const office = "application/vnd.openxmlformats-officedocument";
const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

export type DocxBlock =
  | { heading: string; level: 1 | 2 | 3 }
  | { paragraph: string }
  | { bullet: string }
  | { table: readonly (readonly string[])[] };

/** Builds a Word document from blocks. */
export function docx(blocks: readonly DocxBlock[], options: { title?: string } = {}): Uint8Array {
  const body = blocks.map(wordBlock).join("");
  return docxOfXml(`${declaration}<w:document ${wordNamespace}><w:body>${body}</w:body></w:document>`, options);
}

/** Builds a Word document whose main part is the given XML, well formed or not, with the given styles, or else those of headings. */
export function docxOfXml(documentXml: string, options: { title?: string; styles?: string } = {}): Uint8Array {
  const headings = [1, 2, 3].map(
    (level) =>
      `<w:style w:type="paragraph" w:styleId="Heading${level}"><w:name w:val="heading ${level}"/><w:pPr><w:outlineLvl w:val="${level - 1}"/></w:pPr></w:style>`,
  );
  return zip([
    contentTypes({
      "word/document.xml": `${office}.wordprocessingml.document.main+xml`,
      "word/styles.xml": `${office}.wordprocessingml.styles+xml`,
      "word/numbering.xml": `${office}.wordprocessingml.numbering+xml`,
      "docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
    }),
    relationships("_rels/.rels", {
      [`${relations}/officeDocument`]: "word/document.xml",
      "http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties": "docProps/core.xml",
    }),
    relationships("word/_rels/document.xml.rels", {
      [`${relations}/styles`]: "styles.xml",
      [`${relations}/numbering`]: "numbering.xml",
    }),
    { name: "word/document.xml", content: documentXml },
    {
      name: "word/styles.xml",
      content: `${declaration}<w:styles ${wordNamespace}>${options.styles ?? headings.join("")}</w:styles>`,
    },
    {
      name: "word/numbering.xml",
      content: `${declaration}<w:numbering ${wordNamespace}><w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
    },
    {
      name: "docProps/core.xml",
      content: `${declaration}<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(options.title ?? "")}</dc:title></cp:coreProperties>`,
    },
  ]);
}

/**
 * Builds a Word document of a few kilobytes that keeps the reader busy far longer than any document may take: it searches for the end of
 * each opened tag. The namespace is declared, because otherwise the XML is refused within milliseconds.
 */
export function endlessDocx(openTags = 5_000_000): Uint8Array {
  return docxOfXml(`<w:document ${wordNamespace}><w:body><w:p/>${"<".repeat(openTags)}</w:body></w:document>`);
}

/** A text cell, or a number with its format code. */
export type SheetCell = string | { number: number; format: string };

/** Builds a workbook with one sheet for each name. */
export function xlsx(
  sheets: Record<string, readonly (readonly SheetCell[])[]>,
  options: { date1904?: boolean; mergedCells?: readonly string[]; states?: Record<string, string> } = {},
): Uint8Array {
  const merges = (options.mergedCells ?? []).map((reference) => `<mergeCell ref="${reference}"/>`).join("");
  const cells = Object.values(sheets).flat(2);
  const formats = [...new Set(cells.flatMap((cell) => (typeof cell === "string" ? [] : cell.format)))];
  const names = Object.keys(sheets);
  const part = (index: number) => `xl/worksheets/sheet${index + 1}.xml`;
  const main = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
  return zip([
    contentTypes({
      "xl/workbook.xml": `${office}.spreadsheetml.sheet.main+xml`,
      "xl/styles.xml": `${office}.spreadsheetml.styles+xml`,
      ...Object.fromEntries(names.map((_, index) => [part(index), `${office}.spreadsheetml.worksheet+xml`])),
    }),
    relationships("_rels/.rels", { [`${relations}/officeDocument`]: "xl/workbook.xml" }),
    {
      name: "xl/_rels/workbook.xml.rels",
      content: `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${names
        .map(
          (_, index) =>
            `<Relationship Id="r${index + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${index + 1}.xml"/>`,
        )
        .join("")}<Relationship Id="s" Type="${relations}/styles" Target="/xl/styles.xml"/></Relationships>`,
    },
    {
      name: "xl/styles.xml",
      content: `${declaration}<styleSheet ${main}><numFmts>${formats
        .map((code, index) => `<numFmt numFmtId="${164 + index}" formatCode="${escapeXml(code)}"/>`)
        .join(
          "",
        )}</numFmts><cellStyleXfs><xf numFmtId="14"/></cellStyleXfs><cellXfs><xf numFmtId="0"/>${formats.map((_, index) => `<xf numFmtId="${164 + index}"/>`).join("")}</cellXfs></styleSheet>`,
    },
    {
      name: "xl/workbook.xml",
      content: `${declaration}<workbook ${main} xmlns:r="${relations}"><workbookPr date1904="${options.date1904 ? 1 : 0}"/><sheets>${names
        .map(
          (name, index) =>
            `<sheet name="${escapeXml(name)}" sheetId="${index + 1}" state="${options.states?.[name] ?? "visible"}" r:id="r${index + 1}"/>`,
        )
        .join("")}</sheets></workbook>`,
    },
    ...names.map((name, index) => ({
      name: part(index),
      content: `${declaration}<worksheet ${main}><sheetData>${(sheets[name] ?? []).map((row, at) => sheetRow(row, at, formats)).join("")}</sheetData>${merges && `<mergeCells>${merges}</mergeCells>`}</worksheet>`,
    })),
  ]);
}

/** Builds a presentation with one slide for each element: its title, then its paragraphs. Slides with an index in `hidden` are hidden. */
export function pptx(slides: readonly (readonly string[])[], { hidden = [] as readonly number[] } = {}): Uint8Array {
  const part = (index: number) => `ppt/slides/slide${index + 1}.xml`;
  const spaces = `xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="${relations}"`;
  const shape = (text: string, index: number) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="${index + 2}" name="shape"/><p:cNvSpPr/><p:nvPr>${index === 0 ? '<p:ph type="title"/>' : ""}</p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>${escapeXml(text)}</a:t></a:r></a:p></p:txBody></p:sp>`;
  return zip([
    contentTypes({
      "ppt/presentation.xml": `${office}.presentationml.presentation.main+xml`,
      ...Object.fromEntries(slides.map((_, index) => [part(index), `${office}.presentationml.slide+xml`])),
    }),
    relationships("_rels/.rels", { [`${relations}/officeDocument`]: "ppt/presentation.xml" }),
    {
      name: "ppt/_rels/presentation.xml.rels",
      content: `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${slides
        .map(
          (_, index) =>
            `<Relationship Id="r${index + 1}" Type="${relations}/slide" Target="slides/slide${index + 1}.xml"/>`,
        )
        .join("")}</Relationships>`,
    },
    {
      name: "ppt/presentation.xml",
      content: `${declaration}<p:presentation ${spaces}><p:sldIdLst>${slides
        .map((_, index) => `<p:sldId id="${256 + index}" r:id="r${index + 1}"/>`)
        .join("")}</p:sldIdLst></p:presentation>`,
    },
    ...slides.map((texts, index) => ({
      name: part(index),
      content: `${declaration}<p:sld ${spaces}${hidden.includes(index) ? ' show="0"' : ""}><p:cSld><p:spTree>${texts.map(shape).join("")}</p:spTree></p:cSld></p:sld>`,
    })),
  ]);
}

/** Builds an OpenDocument text with this body, such as `<text:h text:outline-level="1">…</text:h><text:p>…</text:p>`. */
export function odt(body: string): Uint8Array {
  return openDocument("text", body);
}

export function openDocument(kind: "text" | "spreadsheet" | "presentation", body: string, styles = ""): Uint8Array {
  const type = `application/vnd.oasis.opendocument.${kind}`;
  const space = "urn:oasis:names:tc:opendocument:xmlns";
  return zip([
    { name: "mimetype", content: type },
    {
      name: "META-INF/manifest.xml",
      content: `${declaration}<manifest:manifest xmlns:manifest="${space}:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="${type}"/></manifest:manifest>`,
    },
    {
      name: "content.xml",
      content: `${declaration}<office:document-content xmlns:office="${space}:office:1.0" xmlns:text="${space}:text:1.0" xmlns:table="${space}:table:1.0" xmlns:draw="${space}:drawing:1.0" xmlns:style="${space}:style:1.0" xmlns:presentation="${space}:presentation:1.0"><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    },
  ]);
}

/** Builds an OpenDocument spreadsheet of text cells, with one sheet for each name. */
export function ods(sheets: Record<string, readonly (readonly string[])[]>): Uint8Array {
  const cell = (text: string) =>
    text === ""
      ? "<table:table-cell/>"
      : `<table:table-cell office:value-type="string"><text:p>${escapeXml(text)}</text:p></table:table-cell>`;
  const tables = Object.entries(sheets).map(
    ([name, rows]) =>
      `<table:table table:name="${escapeXml(name)}">${rows.map((row) => `<table:table-row>${row.map(cell).join("")}</table:table-row>`).join("")}</table:table>`,
  );
  return openDocument("spreadsheet", tables.join(""));
}

/** Builds an OpenDocument presentation with one slide of paragraphs for each element. */
export function odp(slides: readonly (readonly string[])[]): Uint8Array {
  const pages = slides.map((texts, index) => {
    const boxes = texts.map(
      (text) => `<draw:frame><draw:text-box><text:p>${escapeXml(text)}</text:p></draw:text-box></draw:frame>`,
    );
    return `<draw:page draw:name="page${index + 1}">${boxes.join("")}</draw:page>`;
  });
  return openDocument("presentation", pages.join(""));
}

/** Builds an EPUB book with one chapter for each element (the body of an XHTML page), and further files in its archive. */
export function epub(title: string, chapters: readonly string[], others: readonly ZipPart[] = []): Uint8Array {
  const items = chapters.map(
    (_, index) => `<item id="c${index}" href="c${index}.xhtml" media-type="application/xhtml+xml"/>`,
  );
  return zip([
    { name: "mimetype", content: "application/epub+zip" },
    {
      name: "META-INF/container.xml",
      content: `${declaration}<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="book.opf" media-type="application/oebps-package+xml"/></rootfiles></container>`,
    },
    {
      name: "book.opf",
      content: `${declaration}<package xmlns="http://www.idpf.org/2007/opf" version="3.0"><metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${escapeXml(title)}</dc:title><dc:language>en</dc:language></metadata><manifest>${items.join("")}</manifest><spine>${chapters.map((_, index) => `<itemref idref="c${index}"/>`).join("")}</spine></package>`,
    },
    ...chapters.map((body, index) => ({
      name: `c${index}.xhtml`,
      content: `${declaration}<html xmlns="http://www.w3.org/1999/xhtml"><head><title>${escapeXml(title)}</title></head><body>${body}</body></html>`,
    })),
    ...others,
  ]);
}

/** Builds a file like those that Office encrypts with a password: a compound file with this stream. */
export function encryptedOffice(): Uint8Array {
  const signature = Buffer.from("d0cf11e0a1b11ae1", "hex");
  return new Uint8Array(
    Buffer.concat([signature, Buffer.alloc(504), Buffer.from("EncryptedPackage", "utf16le"), Buffer.alloc(480)]),
  );
}

function wordBlock(block: DocxBlock): string {
  if ("heading" in block) return wordParagraph(block.heading, `<w:pStyle w:val="Heading${block.level}"/>`);
  if ("bullet" in block) {
    return wordParagraph(block.bullet, '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>');
  }
  if ("paragraph" in block) return wordParagraph(block.paragraph);
  const rows = block.table.map(
    (row) => `<w:tr>${row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join("")}</w:tr>`,
  );
  return `<w:tbl>${rows.join("")}</w:tbl>`;
}

function wordParagraph(text: string, properties = ""): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:t xml:space="preserve">${escapeXml(text)}</w:t></w:r></w:p>`;
}

function sheetRow(cells: readonly SheetCell[], index: number, formats: readonly string[]): string {
  const written = cells.map((cell, position) => {
    const reference = `r="${String.fromCharCode(65 + position)}${index + 1}"`;
    if (typeof cell === "string") return `<c ${reference} t="inlineStr"><is><t>${escapeXml(cell)}</t></is></c>`;
    return `<c ${reference} s="${1 + formats.indexOf(cell.format)}"><v>${cell.number}</v></c>`;
  });
  return `<row r="${index + 1}">${written.join("")}</row>`;
}

function contentTypes(types: Record<string, string>): ZipPart {
  const overrides = Object.entries(types).map(
    ([part, type]) => `<Override PartName="/${part}" ContentType="${type}"/>`,
  );
  return {
    name: "[Content_Types].xml",
    content: `${declaration}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/>${overrides.join("")}</Types>`,
  };
}

function relationships(name: string, targets: Record<string, string>): ZipPart {
  const list = Object.entries(targets).map(
    ([type, target], index) => `<Relationship Id="r${index + 1}" Type="${type}" Target="${target}"/>`,
  );
  return {
    name,
    content: `${declaration}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${list.join("")}</Relationships>`,
  };
}
