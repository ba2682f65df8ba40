import { z } from "zod";
import { tryParseJson } from "../../json.ts";

/** A text to answer from. An answer cites it as `[number]`. */
export interface Chunk {
  number: number;
  title: string;
  source: string;
  sheet: string;
  /** Path of the headings above the text. */
  heading: string;
  /** The header row of the table in which the content begins. */
  tableHeader?: string;
  content: string;
}

const untitled = { title: "", source: "", sheet: "", heading: "" };

const text = z.string().catch("");
const chunk = z.looseObject({
  n: z.unknown().optional(),
  number: z.unknown().optional(),
  title: text,
  source: text,
  url: text,
  sheet: text,
  heading: text,
  table_header: text,
  content: z.unknown().optional(),
  text: z.unknown().optional(),
  passage: z.unknown().optional(),
  snippet: z.unknown().optional(),
});
const list = z.array(z.union([z.string(), chunk]));
const numberedLine = /^\s*\[(\d{1,3})\]\s*/;

/**
 * Reads chunks from tool results. A result is a JSON list of chunks (also under `results`, `passages`, `hits` or `documents`), text whose
 * paragraphs start with `[n]`, or any other text as one chunk. A chunk without a number is numbered by its position.
 */
export function readChunks(results: string[]): Chunk[] {
  const chunks: Chunk[] = [];
  for (const result of results) {
    const items = readList(result);
    if (items) {
      for (const item of items) chunks.push(fromItem(item, chunks.length + 1));
    } else chunks.push(...fromText(result, chunks.length + 1));
  }
  return chunks.filter(({ content }) => content.trim() !== "");
}

/** Whether a result says that there are no documents: `{"documents": 0}`. */
export const hasNoDocuments = (result: string): boolean =>
  z.looseObject({ documents: z.literal(0) }).safeParse(tryParseJson(result)).success;

function readList(result: string): z.output<typeof list> | undefined {
  const value = tryParseJson(result);
  const holder = z.looseObject({}).safeParse(value).data ?? {};
  for (const candidate of [value, holder.results, holder.passages, holder.hits, holder.documents]) {
    const items = list.safeParse(candidate);
    if (items.success) return items.data;
  }
  return undefined;
}

function fromItem(item: string | z.output<typeof chunk>, position: number): Chunk {
  if (typeof item === "string") return { ...untitled, number: position, content: item };
  const content = [item.content, item.text, item.passage, item.snippet].find((value) => typeof value === "string");
  const number = z.coerce.number().int().positive();
  return {
    number: number.safeParse(item.n ?? item.number).data ?? position,
    title: item.title,
    source: item.source || item.url,
    sheet: item.sheet,
    heading: item.heading,
    ...(item.table_header !== "" && { tableHeader: item.table_header }),
    content: typeof content === "string" ? content : "",
  };
}

function fromText(result: string, position: number): Chunk[] {
  const chunks: Chunk[] = [];
  for (const line of result.split("\n")) {
    const mark = numberedLine.exec(line);
    const current = chunks.at(-1);
    if (mark || !current) {
      const number = mark ? Number(mark[1]) : position;
      chunks.push({ ...untitled, number, content: line.replace(numberedLine, "") });
    } else current.content += `\n${line}`;
  }
  return chunks;
}
