import { KnowledgeClient } from "@agent-backends/client";
import type { Server } from "../harness/processes.ts";

/** Uploads a text as a file. Resolves with its number of chunks. @throws if the text isn't stored */
export async function upload(
  { baseUrl }: Server,
  namespace: string,
  file: { name: string; text: string },
): Promise<number> {
  const files = [{ name: file.name, content: file.text }];
  const { saved, errors } = await new KnowledgeClient({ baseUrl }).ingest({ namespace, files });
  const [document] = saved;
  if (!document || errors.length > 0) throw new Error(`Nothing was stored: ${JSON.stringify(errors)}`);
  return document.chunks;
}

/** Searches, and resolves with the time until the whole response has arrived, in milliseconds. */
export async function search({ baseUrl }: Server, namespace: string, query: string): Promise<number> {
  const client = new KnowledgeClient({ baseUrl, retry: { maxAttempts: 1 } });
  const begun = performance.now();
  const { results } = await client.search({ namespace, query, max_results: 10 });
  const took = performance.now() - begun;
  if (results.length === 0) throw new Error("Nothing was found");
  return took;
}

/** The time from a request to the first text of its stream, in milliseconds. Reads the stream to its end. */
export async function untilFirst(url: string, body: object, isFirst: (line: string) => boolean): Promise<number> {
  const begun = performance.now();
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  let took: number | undefined;
  let rest = "";
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    const lines = (rest + Buffer.from(piece).toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    if (lines.some(isFirst)) took ??= performance.now() - begun;
  }
  if (took === undefined) throw new Error(`${url} gave no text, status ${response.status}`);
  return took;
}

/** The median of some times. For an even number, the lower of the two middle ones. */
export function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) / 2)] ?? Number.NaN;
}
