import * as z from "zod";
import { normaliseText } from "../../normalise.ts";
import type { ExtractedText, ExtractionInput } from "../document.ts";
import { ExtractionError } from "../document.ts";
import { decodeText } from "../encoding/decode.ts";
import { HeadingScanner } from "./markdown.ts";

/** Maximum length of a cell's output to keep, in UTF-16 code units. Program output is often a log. */
const maxOutputCharacters = 2_000;

/** A text, either as a string or as an array of lines. */
const textSchema = z.union([z.string(), z.array(z.string()).transform((lines) => lines.join(""))]);

const cellSchema = z.object({
  cell_type: z.string(),
  source: textSchema.default(""),
  outputs: z
    .array(
      z.object({ text: textSchema.optional(), data: z.object({ "text/plain": textSchema.optional() }).optional() }),
    )
    .default([]),
});

/** The parts of nbformat 4 that contain text. Pictures, which are base64, are left out. */
const notebookSchema = z.object({
  cells: z.array(cellSchema),
  metadata: z.object({ language_info: z.object({ name: z.string().optional() }).optional() }).default({}),
});

/** A Jupyter notebook as Markdown: its text unchanged, and its code and the printed output in fenced blocks. */
export function extractNotebook(input: ExtractionInput): ExtractedText {
  const { cells, metadata } = parseNotebook(decodeText(input.bytes));
  const language = metadata.language_info?.name ?? "";
  const blocks = cells.flatMap(({ cell_type, source, outputs }) => {
    if (cell_type !== "code") return [source];
    const shown = outputs.map(({ text, data }) => (text ?? data?.["text/plain"] ?? "").slice(0, maxOutputCharacters));
    return [toFence(source, language), ...shown.map((output) => toFence(output))];
  });
  const text = normaliseText(blocks.filter((block) => block.trim() !== "").join("\n\n"));
  if (text === "") throw new ExtractionError("no_text", "The notebook holds no text.");
  const headings = new HeadingScanner();
  const marks = headings.scan(text);
  return { text, title: headings.first, marks };
}

function parseNotebook(json: string): z.output<typeof notebookSchema> {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new ExtractionError("damaged", "The notebook is damaged: it is not JSON.", { cause: error });
  }
  const parsed = notebookSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ExtractionError("unsupported", "The file is not a notebook of format 4; save it with a current Jupyter.");
}

function toFence(code: string, language = ""): string {
  const text = code.replace(/\s+$/, "");
  return text.trim() === "" ? "" : `\`\`\`${language}\n${text}\n\`\`\``;
}
