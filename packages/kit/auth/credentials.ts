import type { IncomingHttpHeaders } from "node:http";

/**
 * The keys or tokens that a request carries, at most two: from `Authorization`, as `Bearer` (RFC 6750) or as the password
 * of `Basic` (RFC 7617), and from `X-API-Key`.
 */
export function credentialsIn(headers: IncomingHttpHeaders): string[] {
  const apiKey = headers["x-api-key"];
  return [fromAuthorization(headers.authorization), typeof apiKey === "string" ? apiKey.trim() : ""].filter(Boolean);
}

function fromAuthorization(header = ""): string {
  const [, scheme = "", value = ""] = /^(\S+) +(\S+) *$/.exec(header) ?? [];
  if (/^bearer$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return "";
  const pair = Buffer.from(value, "base64").toString("utf8");
  return pair.includes(":") ? pair.slice(pair.indexOf(":") + 1) : "";
}
