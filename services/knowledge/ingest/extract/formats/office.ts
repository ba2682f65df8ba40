import type { OfficeContentNode, OfficeError } from "officeparser";
import { parseOffice } from "officeparser";
import type { ExtractedText, ExtractionErrorCode, ExtractionInput, ExtractionLimits, Mark } from "../document.ts";
import { ExtractionError, parseLanguageTag } from "../document.ts";
import { HeadingPath, TextBuilder } from "../text-builder.ts";
import { refuseDocumentTypes } from "./document-types.ts";
import { highlightHidden } from "./hidden-words.ts";
import { renderBlock } from "./office-blocks.ts";

/** officeparser's error codes that mean something else than `damaged`. */
const errorCodes: Record<string, { code: ExtractionErrorCode; message: string }> = {
  PASSWORD_REQUIRED: {
    code: "encrypted",
    message: "The file is protected by a password; remove the protection and send it again.",
  },
  DOCUMENT_DECRYPTION_FAILED: {
    code: "encrypted",
    message: "The file is encrypted, so that only a licensed reader opens it; send one without such protection.",
  },
  ZIP_SIZE_LIMIT_EXCEEDED: {
    code: "too_large",
    message: "The file unpacks to too much data; split it and send the parts.",
  },
  ZIP_ENTRY_COUNT_LIMIT_EXCEEDED: {
    code: "too_large",
    message: "The file contains too many parts; split it and send the parts one by one.",
  },
  XML_ELEMENT_LIMIT_EXCEEDED: {
    code: "too_large",
    message: "The file contains too many elements; split it and send the parts.",
  },
  MAX_NESTING_DEPTH_EXCEEDED: { code: "damaged", message: "The file's elements are nested too deeply." },
};

/**
 * Text of a Word, PowerPoint, OpenDocument, EPUB or RTF file: headings, lists and tables as Markdown, notes after the block they
 * belong to, slides and sheets marked.
 */
export async function extractOffice(
  input: ExtractionInput,
  _limits: ExtractionLimits,
  { name, label }: { name: string; label: string },
): Promise<ExtractedText> {
  if (name !== "epub" && name !== "rtf") refuseDocumentTypes(input.bytes);
  const prepare = preparations[name];
  const tree = await parse(prepare === undefined ? input.bytes : prepare(input.bytes), name);
  const builder = new TextBuilder();
  const path = new HeadingPath();
  addNodes(builder, path, tree.content, {});
  const { text, marks } = builder.build();
  if (text === "") throw new ExtractionError("no_text", `The ${label} holds no text.`);
  const { title, language } = tree.metadata;
  return { text, title: title?.trim() || findFirstHeading(tree.content), language: parseLanguageTag(language), marks };
}

function findFirstHeading(nodes: readonly OfficeContentNode[]): string | undefined {
  for (const node of nodes) {
    const [block] = node.type === "heading" ? renderBlock(node) : [];
    if (block !== undefined) return toHeading(block);
  }
  return undefined;
}

const toHeading = (block: string): string => block.replace(/^#+ /, "");

async function parse(bytes: Uint8Array, fileType: string) {
  try {
    return await parseOffice(bytes, {
      fileType: fileType as "docx",
      ignoreComments: true,
      ignoreHeadersAndFooters: true,
      ignoreSlideMasters: true,
      ignoreInternalLinks: true,
    });
  } catch (error) {
    const known = errorCodes[(error as OfficeError).officeIssue?.code ?? ""];
    throw known === undefined ? error : new ExtractionError(known.code, known.message, { cause: error });
  }
}

/** Adds nodes in order. Consecutive list items form one block. */
function addNodes(
  builder: TextBuilder,
  path: HeadingPath,
  nodes: readonly OfficeContentNode[],
  place: Omit<Mark, "start" | "heading">,
): void {
  let list: string[] = [];
  const add = (block: string) => {
    const heading = path.current;
    builder.add(block, heading === undefined ? place : { ...place, heading });
  };
  const flushList = () => {
    add(list.join("\n"));
    list = [];
  };
  for (const node of nodes) {
    if (node.type === "list") {
      list.push(...renderBlock(node));
      continue;
    }
    flushList();
    if (node.type === "slide" || node.type === "sheet" || node.type === "page") {
      addContainer(builder, node, place);
      continue;
    }
    const blocks = renderBlock(node);
    if (node.type === "heading" && blocks[0] !== undefined) {
      path.enter(node.metadata?.level ?? 1, toHeading(blocks[0]));
    }
    for (const block of blocks) add(block);
  }
  flushList();
}

/** Adds a slide, sheet or page, followed by its notes. Headings before it don't apply to it. */
function addContainer(builder: TextBuilder, node: OfficeContentNode, place: Omit<Mark, "start" | "heading">): void {
  const inside =
    node.type === "slide"
      ? { ...place, slide: node.metadata?.slideNumber }
      : node.type === "sheet"
        ? { ...place, sheet: node.metadata?.sheetName }
        : place;
  const known = Object.fromEntries(Object.entries(inside).filter(([, value]) => value !== undefined));
  if (node.type === "sheet") {
    for (const block of renderBlock({ type: "table", children: node.children ?? [] })) builder.add(block, known);
    return;
  }
  const number = node.type === "slide" ? String(node.metadata?.slideNumber) : undefined;
  const children = node.children ?? [];
  // A slide that consists of its number keeps it.
  const content = children.length > 1 ? withoutSlideNumber(children, number) : children;
  const notes = (node.notes ?? []).map((note) => ({
    ...note,
    children: withoutSlideNumber(note.children ?? [], number),
  }));
  addNodes(builder, new HeadingPath(), [...content, ...notes], known);
}

/** A slide may end with boxes for date, footer and number. */
const maxFooterBoxes = 3;

/** The nodes of a slide or its notes, without the slide's number or its placeholder at the end. */
function withoutSlideNumber(nodes: readonly OfficeContentNode[], number: string | undefined): OfficeContentNode[] {
  const isNumber = ({ text = "" }: OfficeContentNode) =>
    text.trim() === number || /^(<number>|‹.{1,3}›)$/.test(text.trim());
  return nodes.filter((node, index) => index < nodes.length - maxFooterBoxes || !isNumber(node));
}

/** Code points of characters that RTF writes as control words and symbols (RTF 1.9.1, "Special Characters"). */
const rtfCharacters: Readonly<Record<string, number>> = {
  "~": 0xa0,
  _: 0x2011,
  emdash: 0x2014,
  endash: 0x2013,
  emspace: 0x2003,
  enspace: 0x2002,
  bullet: 0x2022,
};

/**
 * RTF with these characters written as numbers, which officeparser understands. It takes `\~` and `\_` literally and drops the
 * control words.
 */
function withNumberedCharacters(bytes: Uint8Array): Uint8Array {
  const rtf = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  // Replacing inside binary data would change its length, which is declared.
  if (/\\bin\d/.test(rtf)) return bytes;
  const numbered = rtf.replace(
    /\\(?:\\|([~_])|(emdash|endash|emspace|enspace|bullet)(?![a-z]) ?)/g,
    (whole, sign, word) => {
      const character = rtfCharacters[sign ?? word];
      return character === undefined ? whole : `{\\uc0\\u${character} }`;
    },
  );
  return numbered === rtf ? bytes : Buffer.from(numbered, "latin1");
}

/** What officeparser doesn't read in files of a format is written as it reads it. */
const preparations: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  docx: highlightHidden,
  rtf: withNumberedCharacters,
};
