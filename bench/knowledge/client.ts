import type { Server } from "./servers.ts";

interface Ingested {
  saved: { chunks: number }[];
  errors: unknown[];
}

/** Uploads a text as a file; resolves with its chunks. @throws when it is not stored */
export async function upload(
  { baseUrl }: Server,
  namespace: string,
  file: { name: string; text: string },
): Promise<number> {
  const form = new FormData();
  form.set("namespace", namespace);
  form.set("files", new Blob([file.text], { type: "text/plain" }), file.name);
  const response = await fetch(`${baseUrl}/api/tools/ingest`, { method: "POST", body: form });
  const { saved, errors } = (await response.json()) as Ingested;
  const [document] = saved;
  if (response.status !== 200 || !document) {
    throw new Error(`Nothing was stored, status ${response.status}: ${JSON.stringify(errors)}`);
  }
  return document.chunks;
}

/** Searches and resolves with the time until the whole answer was there, in milliseconds. */
export async function search({ baseUrl }: Server, namespace: string, query: string): Promise<number> {
  const begun = performance.now();
  const response = await fetch(`${baseUrl}/api/tools/searchDocs`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ namespace, query, max_results: 10 }),
  });
  const { results } = (await response.json()) as { results: unknown[] };
  const took = performance.now() - begun;
  if (response.status !== 200 || results.length === 0) throw new Error(`Nothing was found, status ${response.status}`);
  return took;
}

/** The time from a request to the first text of its stream, in milliseconds. The stream is read through to its end. */
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

/** Middle one of some times; of an even number the lower of the two. */
export function median(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor((times.length - 1) / 2)] ?? Number.NaN;
}
