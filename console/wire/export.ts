import type { StreamRequest } from "../connections/request.ts";
import type { DownloadedFile } from "../design/download.ts";
import type { WireSnapshot } from "./wire-log.ts";

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** Headers whose values are left out of whatever leaves the page. */
const secretHeaders = /^(authorization|x-api-key)$/i;

/** A request as a line to paste into a shell. A key is left to the variable API_KEY: lines get pasted into chats. */
export function curlOf({ url, headers, body }: StreamRequest): string {
  const lines = [`curl -N ${quoted(url)}`];
  const sent = { ...(body && { "Content-Type": "application/json" }), ...headers };
  for (const [name, value] of Object.entries(sent)) {
    const scheme = value.includes(" ") ? `${value.split(" ")[0]} ` : "";
    lines.push(`-H ${secretHeaders.test(name) ? `"${name}: ${scheme}$API_KEY"` : quoted(`${name}: ${value}`)}`);
  }
  if (body) lines.push(`-d ${quoted(JSON.stringify(body))}`);
  return lines.join(" \\\n  ");
}

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
