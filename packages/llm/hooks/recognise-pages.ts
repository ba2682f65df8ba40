import { z } from "zod";
import { ProviderError } from "../errors/provider-error.ts";
import type { Provider } from "../provider.ts";
import type { BodyBytes } from "../transport/provider-stream.ts";
import { postJson } from "./post-json.ts";

/** Enough for some thousand pages. Parsing more would hold up other requests. */
const maxResponseBytes = 8 * 1024 * 1024;

const responseSchema = z.object({ pages: z.array(z.object({ index: z.int().nonnegative(), markdown: z.string() })) });

/** A PDF whose pages need OCR. */
export interface ScannedPdf {
  model: string | undefined;
  bytes: number;
  content: AsyncIterable<Uint8Array>;
  /** Page numbers, starting at 1. */
  pages: readonly number[];
}

/**
 * Requests the text of a PDF's pages from a server with Mistral's OCR API.
 *
 * @returns the text of each page, as Markdown
 * @throws ProviderError, also for a response that lacks a page; the signal's reason once it is aborted
 */
export async function recognisePages(
  provider: Provider,
  { model, bytes, content, pages }: ScannedPdf,
  signal: AbortSignal,
): Promise<Map<number, string>> {
  const beginning = `{"document":{"type":"document_url","document_url":"data:application/pdf;base64,`;
  const fields = JSON.stringify({ model, pages: pages.map((page) => page - 1) });
  const body = await encode(beginning, { bytes, content }, `"},${fields.slice(1)}`);
  const { data } = responseSchema.safeParse(await postJson(provider, body, { signal, maxBytes: maxResponseBytes }));
  const texts = new Map(data?.pages.map(({ index, markdown }) => [index + 1, markdown]));
  if (texts.size !== data?.pages.length || pages.some((page) => !texts.has(page))) {
    throw new ProviderError("invalid", "The answer does not have the text of each page.");
  }
  return new Map(pages.map((page) => [page, texts.get(page) ?? ""]));
}

/** Builds JSON that contains a file in base64. Encodes it piece by piece, so that other requests are handled in between. */
async function encode(
  before: string,
  { bytes, content }: Pick<ScannedPdf, "bytes" | "content">,
  after: string,
): Promise<BodyBytes> {
  const json = Buffer.allocUnsafe(before.length + 4 * Math.ceil(bytes / 3) + after.length);
  let length = json.write(before, "latin1");
  let rest = Buffer.alloc(0);
  for await (const piece of content) {
    const unwritten = Buffer.concat([rest, piece]);
    const end = unwritten.length - (unwritten.length % 3);
    length += json.write(unwritten.toString("base64", 0, end), length, "latin1");
    rest = unwritten.subarray(end);
  }
  length += json.write(rest.toString("base64"), length, "latin1");
  length += json.write(after, length, "latin1");
  return { length, lend: () => ({ pieces: [json.subarray(0, length)], onWritten: () => undefined }) };
}
