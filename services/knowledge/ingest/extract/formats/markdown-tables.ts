import type { ExtractedText, ExtractionInput } from "../document.ts";
import { decodeText } from "../encoding/decode.ts";
import { parseCharset } from "../encoding/known-encoding.ts";
import { readMarkdown } from "./markdown.ts";

/** Maximum length of a table, in UTF-16 code units. A longer one stays HTML. */
const maxTableCharacters = 1 << 18;

/**
 * Table cells that contain Markdown, which begins after an empty line (CommonMark 0.31, section 4.6), or fenced code. Such tables stay
 * unchanged.
 */
const markdownInCell = /<t[dh]\b[^<>]*>[ \t]*\r?\n[ \t]*\r?\n|^[ \t]*(?:`{3}|~{3})/im;

const tableStart = /^ {0,3}<table[\s>]/i;

export async function extractMarkdown(input: ExtractionInput): Promise<ExtractedText> {
  const text = decodeText(input.bytes, parseCharset(input.contentType));
  return readMarkdown([...(await readHtmlTables(() => [text]))].join(""));
}

/**
 * Converts HTML tables in Markdown to Markdown tables, so that they are cut and searched like any other.
 *
 * @param read called if there is such a table, and again to read the text itself
 */
export async function readHtmlTables(read: () => Iterable<string>): Promise<Iterable<string>> {
  if (!hasTable(read())) return read();
  // Load on demand: loading takes 0.2 s, and few texts have a table.
  const { readFragment } = await import("./html.ts");
  return convertTables(read(), readFragment);
}

/** Whether the Markdown may contain an HTML table. */
export function hasTable(pieces: Iterable<string>): boolean {
  let end = "";
  for (const piece of pieces) {
    if (/<table/i.test(end + piece)) return true;
    end = piece.slice(-"<table".length);
  }
  return false;
}

function* convertTables(pieces: Iterable<string>, toMarkdown: (html: string) => string): Generator<string> {
  let fence: string | undefined;
  let table = "";
  let openTables = 0;
  let previous = "\n";
  for (const line of splitLines(pieces)) {
    const isWhole = previous.endsWith("\n");
    const marker = isWhole ? /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] : undefined;
    if (table === "") {
      if (fence === undefined) fence = marker;
      else if (marker?.startsWith(fence)) fence = undefined;
    }
    if (table !== "" || (fence === undefined && marker === undefined && isWhole && tableStart.test(line))) {
      table += line;
      openTables += count(line, /<table[\s>]/gi) - count(line, /<\/table/gi);
      if (openTables <= 0 || table.length > maxTableCharacters) {
        yield openTables > 0 ? table : convertTable(table, toMarkdown);
        [table, openTables] = ["", 0];
      }
    } else yield line;
    previous = line;
  }
  yield table;
}

function convertTable(html: string, toMarkdown: (html: string) => string): string {
  if (markdownInCell.test(html)) return html;
  const end = html.indexOf(">", html.toLowerCase().lastIndexOf("</table")) + 1;
  // Empty lines separate the table from the text before and after it.
  return `\n${toMarkdown(html.slice(0, end || html.length))}\n\n${html.slice(end || html.length).trimStart()}`;
}

/** Lines with their line ends. A line longer than the maximum length of a table comes in several parts. */
function* splitLines(pieces: Iterable<string>): Generator<string> {
  let waiting = "";
  for (const piece of pieces) {
    const lines = (waiting + piece).split(/(?<=\n)/);
    waiting = lines.pop() ?? "";
    yield* lines;
    if (waiting.length <= maxTableCharacters) continue;
    yield waiting;
    waiting = "";
  }
  yield waiting;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
