import { gunzipSync } from "node:zlib";
import { CommandError } from "../command.ts";

/** The limits of the sitemap protocol: addresses and bytes of one file. */
const maxPages = 50_000;
const maxSitemapBytes = 50 * 1_024 * 1_024;
/** Sitemaps that an index names. */
const maxSitemaps = 200;

export interface FoundPage {
  address: string;
  /** As the sitemap says. Undefined if it doesn't. */
  lastModified: string | undefined;
}

/** Reads a sitemap, or an index of sitemaps, from the site itself. Addresses on other hosts are left out. @throws CommandError */
export async function readSitemap(
  address: string,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<{ pages: FoundPage[]; otherHosts: number }> {
  const { host } = new URL(address);
  const queue = [address];
  const pages = new Map<string, FoundPage>();
  let otherHosts = 0;
  for (let index = 0; index < queue.length; index++) {
    if (index === maxSitemaps) throw new CommandError(`${address} names more than ${maxSitemaps} sitemaps.`);
    const xml = await download(queue[index] ?? "", { fetch, signal });
    const entries = parseEntries(xml);
    const isIndex = /<(?:\w+:)?sitemapindex[\s>]/.test(xml);
    if (!isIndex && !/<(?:\w+:)?urlset[\s>]/.test(xml)) throw new CommandError(`${queue[index]} is not a sitemap.`);
    for (const entry of entries) {
      if (!URL.canParse(entry.address) || new URL(entry.address).host !== host) otherHosts++;
      else if (isIndex) queue.push(entry.address);
      else pages.set(entry.address, entry);
      if (pages.size > maxPages) throw new CommandError(`${address} names more than ${maxPages} pages.`);
    }
  }
  return { pages: [...pages.values()], otherHosts };
}

async function download(
  address: string,
  { fetch, signal }: { fetch: typeof globalThis.fetch; signal: AbortSignal },
): Promise<string> {
  const response = await fetch(address, { signal }).catch((error: Error) => {
    signal.throwIfAborted();
    throw new CommandError(
      `${address} can't be reached: ${(error.cause as Error | undefined)?.message ?? error.message}`,
    );
  });
  // A sitemap that is missing for a moment must not look like one that names no pages.
  if (!response.ok) throw new CommandError(`${address} answered with status ${response.status}.`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  try {
    const xml = isCompressed ? gunzipSync(bytes, { maxOutputLength: maxSitemapBytes }) : bytes;
    if (xml.length <= maxSitemapBytes) return xml.toString("utf8");
  } catch {
    // Not gzip, or larger than allowed.
  }
  throw new CommandError(`${address} is larger than ${maxSitemapBytes} bytes, or damaged.`);
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function parseEntries(xml: string): FoundPage[] {
  // A sitemap has a fixed shape: entries without attributes, with the address in one element.
  return [...xml.matchAll(/<(?:\w+:)?(url|sitemap)>(.*?)<\/(?:\w+:)?\1>/gs)].flatMap(([, , entry = ""]) => {
    const address = readElement(entry, "loc");
    return address ? [{ address, lastModified: readElement(entry, "lastmod") }] : [];
  });
}

function readElement(xml: string, name: string): string | undefined {
  const [, content] =
    new RegExp(`<(?:\\w+:)?${name}>\\s*(?:<!\\[CDATA\\[)?(.*?)(?:\\]\\]>)?\\s*</`, "s").exec(xml) ?? [];
  return content?.trim().replace(/&(\w+);/g, (whole, entity: string) => entities[entity] ?? whole);
}
