import type { StreamRequest } from "../stream/open-stream.ts";

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
/** Headers whose values are left out of whatever leaves the page. */
export const secretHeaders = /^(authorization|x-api-key)$/i;

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
