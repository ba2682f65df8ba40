import type { ExtractedText, ExtractionInput, ExtractionLimits } from "../document.ts";
import { ExtractionError, requireTextWithinLimit } from "../document.ts";
import { decodeText } from "../encoding/decode.ts";
import { parseCharset } from "../encoding/known-encoding.ts";
import { HeadingPath, TextBuilder } from "../text-builder.ts";
import { readFragment } from "./html.ts";
import { toOneLine } from "./markdown-parts.ts";
import { getAttribute, scanXml } from "./scan-xml.ts";

/** The text of an XML file, without element names and attributes. Each of several sibling elements is on its own line. */
export function extractXml(input: ExtractionInput): ExtractedText {
  const words: string[] = [];
  let hasClosed = false;
  for (const token of scanXml(readXml(input))) {
    if (token.type === "open" && hasClosed) words.push("\n");
    if (token.type === "text") words.push(token.text);
    hasClosed = token.type === "close";
  }
  const builder = new TextBuilder();
  builder.add(
    words
      .join("")
      .replace(/[ \t]+/g, " ")
      .replace(/\s*\n\s*/g, "\n"),
  );
  const { text, marks } = builder.build();
  if (text === "") throw new ExtractionError("no_text", "The XML file holds no text between its elements.");
  return { text, marks };
}

/** The XML of a file. A document type declaration is skipped, and its entities are not expanded. */
function readXml({ bytes, contentType }: ExtractionInput): string {
  return decodeText(bytes, parseCharset(contentType)).replace(/<!DOCTYPE(?:[^[\]>]|\[[^\]]*\])*>/i, "");
}

/** An entry of a feed, or the feed itself. */
interface Entry {
  title: string;
  date: string;
  link: string;
  author: string;
  /** The longest of its summary and its contents, as HTML. */
  content: string;
}

const emptyEntry = (): Entry => ({ title: "", date: "", link: "", author: "", content: "" });

/** Elements of RSS 0.9 to 2.0 and Atom 1.0, by the field they contain. */
const fields: Readonly<Record<string, keyof Entry>> = {
  title: "title",
  pubDate: "date",
  date: "date",
  updated: "date",
  published: "date",
  link: "link",
  author: "author",
  creator: "author",
  description: "content",
  summary: "content",
  subtitle: "content",
  content: "content",
  encoded: "content",
};

/** An RSS or Atom feed as Markdown: its title, then for each entry a heading with date, author, address and text below it. */
export function extractFeed(input: ExtractionInput, limits: ExtractionLimits): ExtractedText {
  const builder = new TextBuilder();
  const path = new HeadingPath();
  let feed: Entry | undefined;
  for (const entry of readEntries(readXml(input))) {
    addEntry(builder, path, entry, feed === undefined ? 1 : 2);
    feed ??= entry;
    requireTextWithinLimit(builder.length, limits);
  }
  const { text, marks } = builder.build();
  if (text === "") throw new ExtractionError("no_text", "The feed holds no text.");
  return { text, title: toOneLine(feed?.title ?? "") || undefined, marks };
}

function addEntry(builder: TextBuilder, path: HeadingPath, entry: Entry, level: number): void {
  const title = toOneLine(readFragment(entry.title));
  const heading = path.enter(level, title);
  if (title !== "") builder.add(`${"#".repeat(level)} ${title}`, { heading });
  builder.add([entry.date, entry.author, entry.link].map(toOneLine).filter(Boolean).join(" · "), { heading });
  builder.add(readFragment(entry.content), { heading });
}

/** The feed itself, then its entries. */
function* readEntries(xml: string): Generator<Entry, void, undefined> {
  const feed = emptyEntry();
  const entries: Entry[] = [];
  let entry = feed;
  let field: { element: string; name: keyof Entry; text: string; depth: number } | undefined;
  for (const token of scanXml(xml)) {
    if (token.type === "text") {
      if (field !== undefined) field.text += token.text;
    } else if (field !== undefined) {
      // Atom may contain XHTML, whose text is kept.
      if (token.name === field.element) field.depth += token.type === "open" ? 1 : -1;
      else field.text += token.type === "open" ? "" : " ";
      if (field.depth > 0) continue;
      if (field.name === "content" ? field.text.length > entry.content.length : entry[field.name] === "")
        entry[field.name] = field.text;
      field = undefined;
    } else if (token.name === "item" || token.name === "entry") {
      entry = token.type === "open" ? emptyEntry() : feed;
      if (entry !== feed) entries.push(entry);
    } else if (token.type === "open") {
      const name = Object.hasOwn(fields, token.name) ? fields[token.name] : undefined;
      if (name === "link" && entry.link === "") entry.link = getAttribute(token.attributes, "href") ?? "";
      if (name !== undefined) field = { element: token.name, name, text: "", depth: 1 };
    }
  }
  yield feed;
  yield* entries;
}
