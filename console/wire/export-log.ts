import type { DownloadedFile } from "../design/download.ts";
import { secretHeaders } from "./curl.ts";
import type { WireSnapshot } from "./wire-log.ts";

/** What was on the wire as newline-delimited JSON: the request, then each entry. Keys are left out. */
export function exportLog({ request, entries }: WireSnapshot): DownloadedFile {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    secretHeaders.test(name) ? "…" : value,
  ]);
  const lines = [
    { kind: "request", url: request.url, headers: Object.fromEntries(headers), body: request.body },
    ...entries.map(({ kind, atMs, label, raw }) => ({ kind, at_ms: atMs, label, data: parsed(raw) })),
  ];
  const content = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return { name: "wire.ndjson", type: "application/x-ndjson", content };
}

function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw);
  } catch {
    return raw;
  }
}
