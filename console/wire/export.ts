import type { DownloadedFile } from "../design/download.ts";
import { parseJson } from "../json.ts";
import type { StreamRequest, WireSnapshot } from "./wire-log.ts";

/** Headers whose values never leave the page. */
const secretHeaders = /^(authorization|x-api-key)$/i;

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A request as a shell command. The key becomes the variable API_KEY, because commands get pasted into chats. */
export function toCurl({ url, headers, body }: StreamRequest): string {
  const lines = [`curl -N ${quote(url)}`];
  const sent = { "Content-Type": "application/json", ...headers };
  for (const [name, value] of Object.entries(sent)) {
    const scheme = value.includes(" ") ? `${value.split(" ")[0]} ` : "";
    lines.push(`-H ${secretHeaders.test(name) ? `"${name}: ${scheme}$API_KEY"` : quote(`${name}: ${value}`)}`);
  }
  lines.push(`-d ${quote(JSON.stringify(body))}`);
  return lines.join(" \\\n  ");
}

/** The log as newline-delimited JSON: the request without its key, then each entry. */
export function exportLog({ request, entries }: WireSnapshot): DownloadedFile {
  const headers = Object.entries(request.headers).map(([name, value]) => [
    name,
    secretHeaders.test(name) ? "…" : value,
  ]);
  const lines = [
    { kind: "request", url: request.url, headers: Object.fromEntries(headers), body: request.body },
    ...entries.map(({ kind, atMs, label, raw }) => ({ kind, at_ms: atMs, label, data: parseJson(raw) ?? raw })),
  ];
  const content = lines.map((line) => `${JSON.stringify(line)}\n`).join("");
  return { name: "wire.ndjson", type: "application/x-ndjson", content };
}
