import { decodeText } from "../../encoding/decode.ts";
import type { ZipEntry } from "../../zip.ts";
import { readZipDirectory, readZipEntry } from "../../zip.ts";
import type { XmlToken } from "../scan-xml.ts";
import { getAttribute, scanXml } from "../scan-xml.ts";
import { formatDate, parseDateKind } from "./cell-date.ts";
import type { CellFormat } from "./number-format.ts";
import { parseNumberFormat } from "./number-format.ts";

/** Maximum size of an unpacked part. */
const maxPartBytes = 256 * 1024 * 1024;

/**
 * Maximum number of formats to read, so that a hostile file can't fill memory. Excel allows 250. Numbers of further formats are shown
 * as stored.
 */
const maxFormats = 1_000;

export interface WorkbookSheet {
  name: string;
  path: string;
}

export interface Workbook {
  /** In tab order, without hidden sheets. */
  sheets: WorkbookSheet[];
  sharedStrings: string[];
  /** The number format of each cell style, by the style's number. */
  formats: (CellFormat | undefined)[];
  /** The numbers of cell styles that strike out text. */
  struckStyles: ReadonlySet<number>;
  title: string | undefined;
}

/** The parts of an office file (ECMA-376 part 2), by name without the leading slash. */
export class Package {
  readonly #bytes: Uint8Array;
  readonly #entries: ReadonlyMap<string, ZipEntry>;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#entries = new Map((readZipDirectory(bytes) ?? []).map((entry) => [entry.name.toLowerCase(), entry]));
  }

  /** The XML of a part, or undefined if there is no part of this name. */
  read(name: string): string | undefined {
    const entry = this.#entries.get(name.toLowerCase());
    return entry && decodeText(readZipEntry(this.#bytes, entry, maxPartBytes));
  }

  find(pattern: RegExp): string | undefined {
    return [...this.#entries.values()].find(({ name }) => pattern.test(name))?.name;
  }

  /** The targets of a part's relationships, by id. */
  readRelations(name: string): Map<string, { type: string; path: string }> {
    const folder = name.slice(0, name.lastIndexOf("/") + 1);
    const xml = this.read(`${folder}_rels/${name.slice(folder.length)}.rels`) ?? "";
    const relations = new Map<string, { type: string; path: string }>();
    for (const token of scanXml(xml)) {
      if (token.type !== "open" || token.name !== "Relationship") continue;
      const { attributes } = token;
      const target = URL.parse(getAttribute(attributes, "Target") ?? "", `file:///${folder}`)?.pathname.slice(1);
      const id = getAttribute(attributes, "Id");
      if (id === undefined || target === undefined || getAttribute(attributes, "TargetMode") === "External") continue;
      const type = getAttribute(attributes, "Type")?.split("/").at(-1) ?? "";
      relations.set(id, { type, path: decodeURIComponent(target) });
    }
    return relations;
  }
}

export function readWorkbook(parts: Package): Workbook {
  const main = parts.find(/^xl\/workbook[^/]*\.xml$/i) ?? "xl/workbook.xml";
  const relations = parts.readRelations(main);
  const sheets: WorkbookSheet[] = [];
  const paths = new Set<string>();
  let dateSystem: 1900 | 1904 = 1900;
  for (const token of scanXml(parts.read(main) ?? "")) {
    if (token.type !== "open") continue;
    const { name, attributes } = token;
    if (name === "workbookPr" && /^(1|true)$/.test(getAttribute(attributes, "date1904") ?? "")) dateSystem = 1904;
    if (name !== "sheet") continue;
    const relation = relations.get(getAttribute(attributes, "id") ?? "");
    if (/^(hidden|veryHidden)$/.test(getAttribute(attributes, "state") ?? "")) continue;
    // A hostile file may name one part in thousands of sheets, so read each part once.
    if (relation?.type === "worksheet" && !paths.has(relation.path)) {
      paths.add(relation.path);
      sheets.push({ name: getAttribute(attributes, "name") ?? `Sheet${sheets.length + 1}`, path: relation.path });
    }
  }
  const readPartOfType = (type: string) => {
    const path = [...relations.values()].find((relation) => relation.type === type)?.path;
    return (path === undefined ? undefined : parts.read(path)) ?? "";
  };
  return {
    sheets,
    sharedStrings: readSharedStrings(readPartOfType("sharedStrings")),
    ...readStyles(readPartOfType("styles"), dateSystem),
    title: readTitle(parts.read("docProps/core.xml") ?? ""),
  };
}

function readSharedStrings(xml: string): string[] {
  const strings: string[] = [];
  let text: string | undefined;
  let isText = false;
  let isReading = false;
  let isStruck = false;
  for (const token of scanXml(xml)) {
    if (token.type === "text") {
      if (isText && !isReading && !isStruck && text !== undefined) text += token.text;
      continue;
    }
    const isOpenTag = token.type === "open";
    if (token.name === "si") {
      if (isOpenTag) text = "";
      else strings.push(decodeEscapes(text ?? ""));
    } else if (token.name === "t") isText = isOpenTag;
    else if (token.name === "r") isStruck = false;
    else if (isStrike(token)) isStruck = true;
    // Skip phonetic guides of Japanese words.
    else if (token.name === "rPh") isReading = isOpenTag;
  }
  return strings;
}

/** XML can't contain some characters, so they are written as `_x000D_` (ECMA-376 part 1, 22.9.2.19). */
export function decodeEscapes(text: string): string {
  if (!text.includes("_x")) return text;
  return text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

function readStyles(xml: string, dateSystem: 1900 | 1904): Pick<Workbook, "formats" | "struckStyles"> {
  const codes = new Map<number, string>();
  const known = new Map<number, CellFormat | undefined>();
  const formats: (CellFormat | undefined)[] = [];
  const struckFonts = new Set<number>();
  const struckStyles = new Set<number>();
  let fonts = 0;
  let isInFonts = false;
  let isInCellFormats = false;
  for (const token of scanXml(xml)) {
    if (token.type === "text") continue;
    if (token.name === "fonts") isInFonts = token.type === "open";
    if (token.name === "cellXfs") isInCellFormats = token.type === "open";
    if (token.type !== "open") continue;
    const id = Number(getAttribute(token.attributes, "numFmtId") ?? 0);
    if (token.name === "numFmt" && codes.size < maxFormats) {
      codes.set(id, getAttribute(token.attributes, "formatCode") ?? "");
    }
    if (isInFonts && token.name === "font") fonts += 1;
    if (isInFonts && isStrike(token)) struckFonts.add(fonts - 1);
    if (token.name !== "xf" || !isInCellFormats) continue;
    if (struckFonts.has(Number(getAttribute(token.attributes, "fontId")))) struckStyles.add(formats.length);
    if (!known.has(id)) known.set(id, parseFormat(id, codes.get(id), dateSystem));
    formats.push(known.get(id));
  }
  return { formats, struckStyles };
}

/** Whether a tag in a font's properties strikes out text. */
export function isStrike(token: XmlToken): boolean {
  return (
    token.type === "open" && token.name === "strike" && !/^(0|false)$/.test(getAttribute(token.attributes, "val") ?? "")
  );
}

function parseFormat(id: number, code: string | undefined, dateSystem: 1900 | 1904): CellFormat | undefined {
  const kind = parseDateKind(id, code);
  return kind === undefined ? parseNumberFormat(id, code) : (value) => formatDate(value, kind, dateSystem);
}

function readTitle(xml: string): string | undefined {
  let isTitle = false;
  let title = "";
  for (const token of scanXml(xml)) {
    if (token.type === "text") title += isTitle ? token.text : "";
    else if (token.name === "title") isTitle = token.type === "open";
  }
  return title.trim() || undefined;
}
