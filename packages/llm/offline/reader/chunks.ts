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

const text = z.string().catch("");
const chunkSchema = z.object({
  n: z.int().positive().optional().catch(undefined),
  title: text,
  source: text,
  sheet: text,
  heading: text,
  table_header: text,
  content: text,
});
const listSchema = z.array(chunkSchema);
const resultSchema = z.union([listSchema, z.object({ results: listSchema }).transform(({ results }) => results)]);

/**
 * Reads chunks from tool results. A result is a JSON list of chunks, which may be under `results`, or any other text as one chunk. A
 * chunk without a number is numbered by its position.
 */
export function readChunks(results: string[]): Chunk[] {
  const items = results.flatMap((result) => {
    return resultSchema.safeParse(tryParseJson(result)).data ?? [chunkSchema.parse({ content: result })];
  });
  const chunks = items.map(({ n, table_header: tableHeader, ...item }, position): Chunk => {
    return { ...item, number: n ?? position + 1, ...(tableHeader !== "" && { tableHeader }) };
  });
  return chunks.filter(({ content }) => content.trim() !== "");
}

/** Whether a result says that there are no documents: `{"documents": 0}`. */
export const hasNoDocuments = (result: string): boolean =>
  z.object({ documents: z.literal(0) }).safeParse(tryParseJson(result)).success;
