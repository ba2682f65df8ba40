import type { OfficeContentNode, OfficeError } from "officeparser";
import { parseOffice } from "officeparser";
import type { Place } from "../../../../store/document.ts";
import type { ExtractedText, ExtractionErrorCode, ExtractionInput, ExtractionLimits } from "../../document.ts";
import { ExtractionError, parseLanguageTag, parseTitle, protectedMessage } from "../../document.ts";
import { HeadingPath, TextBuilder } from "../../text-builder.ts";
import { refuseDocumentTypes } from "../document-types.ts";
import { renderBlock } from "./blocks.ts";
import { prepareOffice } from "./prepare.ts";

/** officeparser's error codes that mean something other than `damaged`. */
const errorCodes: Record<string, { code: ExtractionErrorCode; message: string }> = {
  PASSWORD_REQUIRED: { code: "encrypted", message: `The file ${protectedMessage}` },
  DOCUMENT_DECRYPTION_FAILED: {
    code: "encrypted",
    message: "The file is encrypted for licensed programs only (DRM); send one without this protection.",
  },
  ZIP_SIZE_LIMIT_EXCEEDED: {
    code: "too_large",
    message: "The file is too large after decompression; split it and send the parts.",
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
 * The text of a Word, PowerPoint, OpenDocument, EPUB or RTF file: headings, lists and tables as Markdown, notes after the block they
 * belong to, and marks for slides and sheets.
 */
export async function extractOffice(
  input: ExtractionInput,
  _limits: ExtractionLimits,
  { name, label }: { name: string; label: string },
): Promise<ExtractedText> {
  if (name !== "epub" && name !== "rtf") refuseDocumentTypes(input.bytes);
  const tree = await parse(prepareOffice(input.bytes, name), name);
  const builder = new TextBuilder();
  const path = new HeadingPath();
  addNodes(builder, path, tree.content, {});
  const { text, marks } = builder.build();
  if (text === "") throw new ExtractionError("no_text", `The ${label} holds no text.`);
  const { title, language } = tree.metadata;
  return {
    text,
    title: parseTitle(title) ?? findFirstHeading(tree.content),
    language: parseLanguageTag(language),
    marks,
  };
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
function addNodes(builder: TextBuilder, path: HeadingPath, nodes: readonly OfficeContentNode[], place: Place): void {
  let list: string[] = [];
  const add = (block: string) => builder.add(block, { ...place, heading: path.current });
  const flushList = () => {
    add(list.join("\n"));
    list = [];
  };
  for (const given of nodes) {
    const node = toNumberedHeading(given) ?? given;
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

/** A numbered heading of OpenDocument. officeparser reports it as a list item with a level. */
function toNumberedHeading({ type, metadata, ...node }: OfficeContentNode): OfficeContentNode | undefined {
  const { level } = (metadata ?? {}) as { level?: number };
  return type === "list" && level !== undefined ? { ...node, type: "heading", metadata: { level } } : undefined;
}

/** Adds a slide, sheet or page, followed by its notes. Earlier headings don't apply to it. */
function addContainer(builder: TextBuilder, node: OfficeContentNode, place: Place): void {
  const children = node.children ?? [];
  if (node.type === "sheet") {
    for (const block of renderBlock({ type: "table", children }))
      builder.add(block, { ...place, sheet: node.metadata?.sheetName });
    return;
  }
  const slide = node.type === "slide" ? node.metadata?.slideNumber : undefined;
  // A slide that contains only its number keeps it.
  const content = children.length > 1 ? withoutSlideNumber(children, slide) : children;
  const notes = (node.notes ?? []).map((note) => ({
    ...note,
    children: withoutSlideNumber(note.children ?? [], slide),
  }));
  addNodes(builder, new HeadingPath(), [...content, ...notes], { ...place, slide });
}

/** Maximum number of boxes for date, footer and number at the end of a slide. */
const maxFooterBoxes = 3;

/** The nodes of a slide or its notes, without the slide number or its placeholder at the end. */
function withoutSlideNumber(nodes: readonly OfficeContentNode[], number: number | undefined): OfficeContentNode[] {
  const isNumber = ({ text = "" }: OfficeContentNode) =>
    text.trim() === number?.toString() || /^(<number>|‹.{1,3}›)$/.test(text.trim());
  return nodes.filter((node, index) => index < nodes.length - maxFooterBoxes || !isNumber(node));
}
