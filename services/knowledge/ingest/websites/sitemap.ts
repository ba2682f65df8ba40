import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { SitemapResponse } from "@agent-backends/contract";
import { knowledgeLimits } from "@agent-backends/contract";
import type { Caller } from "@agent-backends/kit";
import { waitForTurn } from "@agent-backends/kit";
import { SafeFetchError } from "@agent-backends/kit/safe-fetch";
import { decodeEntities } from "../extract/formats/scan-xml.ts";
import type { FetchedPage, PageFetches } from "./page-fetches.ts";

/** Why a sitemap can't be read. The message is for the user who gave its address. */
export class SitemapError extends Error {
  override readonly name = "SitemapError";
}

export interface SitemapOptions {
  pages: PageFetches;
  /** Maximum unpacked size of one sitemap, in bytes. */
  maxBytes: number;
  /** Clock in milliseconds. */
  now(): number;
}

/**
 * The pages listed in a sitemap, and in the sitemaps that it refers to (sitemaps.org, version 0.9). Only addresses on the host of the
 * first sitemap, after redirects, count. A sitemap that is listed more than once is read once.
 *
 * @throws SitemapError or SafeFetchError if the first sitemap can't be read, or the signal's reason
 */
export async function readSitemap(address: string, options: SitemapOptions, caller: Caller): Promise<SitemapResponse> {
  const found = new Map<string, { url: string; lastmod?: string }>();
  const waiting = [address];
  const seen = new Set(waiting);
  const errors: SitemapResponse["errors"] = [];
  const until = options.now() + knowledgeLimits.sitemapMs;
  let skipped = 0;
  let truncated = false;
  let host: string | undefined;
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    if (options.now() > until) {
      truncated = true;
      break;
    }
    try {
      await options.pages.read(url, caller, async (page) => {
        host ??= new URL(page.url).host;
        for await (const entry of readEntries(page, options.maxBytes)) {
          const location = URL.parse(entry.loc);
          if (location?.host !== host || !/^https?:$/.test(location.protocol)) skipped += 1;
          else if (entry.isSitemap && seen.size >= knowledgeLimits.sitemapFiles && !seen.has(location.href))
            truncated = true;
          else if (entry.isSitemap && !seen.has(location.href)) {
            seen.add(location.href);
            waiting.push(location.href);
          } else if (entry.isSitemap) continue;
          else if (found.size >= knowledgeLimits.sitemapPages && !found.has(location.href)) truncated = true;
          else found.set(location.href, toPage(location.href, entry.lastmod, found.get(location.href)?.lastmod));
        }
      });
    } catch (error) {
      caller.signal?.throwIfAborted();
      const isKnown = error instanceof SitemapError || error instanceof SafeFetchError;
      if (!isKnown || url === address) throw error;
      errors.push({ url, error: error.message, code: error instanceof SafeFetchError ? error.code : "damaged" });
    }
  }
  return { url: address, pages: [...found.values()], skipped, truncated, errors };
}

/** A page with the latest of its times. A `lastmod` that isn't a valid time is left out. */
function toPage(url: string, lastmod: string | undefined, known: string | undefined) {
  const times = [lastmod, known].map((time) => Date.parse(time ?? "")).filter((time) => !Number.isNaN(time));
  return { url, ...(times.length > 0 && { lastmod: new Date(Math.max(...times)).toISOString() }) };
}

interface Entry {
  loc: string;
  lastmod: string | undefined;
  isSitemap: boolean;
}

/** Maximum length of the text before the root. Sufficient for the comments of a usual sitemap. */
const maxHeadCharacters = 10_000;
/** Maximum length of an entry. With images, videos and news, an entry has some thousand characters. */
const maxEntryCharacters = 256 * 1024;

/** The entries of a sitemap file, read in bounded memory. Only XML's five predefined entities and character references are expanded. */
async function* readEntries(page: FetchedPage, maxBytes: number): AsyncGenerator<Entry, void, undefined> {
  let text = "";
  let root: string | undefined;
  let bytes = 0;
  const decoder = new TextDecoder();
  for await (const piece of await openText(page)) {
    bytes += piece.length;
    if (bytes > maxBytes) throw new SitemapError(`The sitemap is over the limit of ${maxBytes} bytes.`);
    text += decoder.decode(piece, { stream: true });
    root ??= findRoot(text.slice(0, maxHeadCharacters));
    if (root === undefined && text.length < maxHeadCharacters) continue;
    if (root === undefined) break;
    const tag = root === "urlset" ? "url" : "sitemap";
    const entries = text.split(`</${tag}>`);
    text = entries.pop() ?? "";
    if (text.length > maxEntryCharacters) throw new SitemapError("The sitemap has an entry without an end tag.");
    for (const entry of entries) {
      const loc = readField(entry, "loc");
      if (loc !== undefined) yield { loc, lastmod: readField(entry, "lastmod"), isSitemap: root === "sitemapindex" };
    }
    await waitForTurn();
  }
  if (root === undefined)
    throw new SitemapError("The address is not that of a sitemap; give the address of an XML sitemap.");
}

/** The name of the root element, if it is a sitemap's. A document type declaration before it isn't allowed. */
function findRoot(head: string): string | undefined {
  let rest = head.replace(/^\ufeff/, "").trimStart();
  // A single regular expression would backtrack forever.
  for (;;) {
    const close = rest.startsWith("<!--") ? "-->" : rest.startsWith("<?") ? "?>" : undefined;
    if (close === undefined) return /^<(urlset|sitemapindex)[\s>]/.exec(rest)?.[1];
    const end = rest.indexOf(close);
    if (end === -1) return undefined;
    rest = rest.slice(end + close.length).trimStart();
  }
}

function readField(entry: string, name: string): string | undefined {
  const start = entry.indexOf(`<${name}>`);
  const end = start === -1 ? -1 : entry.indexOf(`</${name}>`, start);
  if (end === -1) return undefined;
  const value = entry.slice(start + name.length + 2, end).trim();
  const cdata = /^<!\[CDATA\[(.*)\]\]>$/s.exec(value)?.[1];
  const decoded = (cdata ?? decodeEntities(value)).trim();
  return decoded.length > knowledgeLimits.sitemapAddressCharacters ? undefined : decoded;
}

/** The bytes of a file, unpacked if it is gzip. */
async function openText({ path }: FetchedPage): Promise<AsyncIterable<Buffer>> {
  const file = createReadStream(path);
  if (!(await isGzip(path))) return file;
  const unpacked = pipeline(file, createGunzip(), () => undefined);
  return withGzipErrors(unpacked);
}

async function* withGzipErrors(unpacked: Readable): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* unpacked;
  } catch {
    throw new SitemapError("The sitemap can't be decompressed; it is not a complete gzip file.");
  }
}

async function isGzip(path: string): Promise<boolean> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0);
  return bytesRead === 2 && buffer[0] === 0x1f && buffer[1] === 0x8b;
}
