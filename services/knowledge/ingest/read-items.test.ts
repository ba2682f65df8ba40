import { writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { join } from "node:path";
import { safeFetch } from "@agent-backends/kit/safe-fetch";
import { pdf } from "@agent-backends/testing";
import { createTemporaryFolder, listenOnLoopback } from "@agent-backends/testing/fixtures";
import { describe, expect, it } from "vitest";
import type { UploadedFile } from "../store/jobs/sent-items.ts";
import { defaultExtractionLimits } from "./extract/extract.ts";
import type { FailedItem } from "./items.ts";
import { parseItems } from "./items.ts";
import type { ReadItem, SourceOptions } from "./read-items.ts";
import { readItems } from "./read-items.ts";
import { PageFetches } from "./websites/page-fetches.ts";

const pages: Record<string, (response: ServerResponse, request: IncomingMessage) => void> = {
  "/page": (response) =>
    response
      .setHeader("content-type", "text/html; charset=windows-1251")
      .end(
        Buffer.from(
          "<html><title>\xd7\xe0\xe9</title><body><p><a href='/next'>\xcf\xf0\xe8\xe2\xe5\xf2</a> all</p></body></html>",
          "latin1",
        ),
      ),
  "/moved": (response) => response.writeHead(302, { location: "/docs/report.pdf" }).end(),
  "/docs/report.pdf": (response) => response.end(pdf([["Numbers went up."]], { title: "Report" })),
  "/readme.md": (response) => response.setHeader("content-type", "text/plain").end("# Read me\n\nPlease."),
  "/scan": (response) => response.setHeader("content-type", "application/pdf").end(pdf([[]])),
  "/image": (response) => response.setHeader("content-type", "image/png").end(Buffer.from("89504e470d0a1a0a", "hex")),
  "/missing": (response) => response.writeHead(404).end("not here"),
  "/large": (response) => response.end("x".repeat(20_000)),
  "/silent": () => undefined,
};

const server = createServer((request, response) => pages[request.url ?? ""]?.(response, request));
const origin = await listenOnLoopback(server);

const reported: unknown[] = [];
const fetchPage: ConstructorParameters<typeof PageFetches>[0] = (url, path, signal) => {
  const timeoutMs = url.endsWith("/silent") ? 300 : 10_000;
  return safeFetch(url, { path, allowPrivate: true, timeoutMs, maxBytes: 10_000, ...(signal && { signal }) });
};
const options: SourceOptions = {
  maxFileBytes: 10_000,
  extraction: defaultExtractionLimits,
  pages: new PageFetches(fetchPage),
  reportError: (error) => reported.push(error),
};

const folder = await createTemporaryFolder();
let written = 0;

function file(filename: string, content: string | Uint8Array, more: Partial<UploadedFile> = {}): UploadedFile {
  const path = join(folder, String(written++));
  writeFileSync(path, content);
  return { filename, path, bytesOnDisk: Buffer.from(content).length, ...more };
}

const toEntries = (sources: readonly unknown[], files: readonly UploadedFile[] = []) =>
  parseItems({ sources, files }, options.maxFileBytes).map((item) => ({ item }));

async function load(
  sources: readonly unknown[],
  files: readonly UploadedFile[] = [],
  changed: Partial<SourceOptions> = {},
) {
  const entries = toEntries(sources, files);
  const items = new Map<object, ReadItem | FailedItem>();
  for await (const { entry, item } of readItems(entries, { ...options, ...changed }))
    items.set(entry, item as ReadItem | FailedItem);
  return entries.map((entry) => items.get(entry) as ReadItem | FailedItem);
}

const getText = (document: ReadItem["document"]) => ("text" in document ? document.text : "");

/** What a test wants to see of an item. */
const seen = (item: ReadItem | FailedItem | undefined) =>
  item === undefined || "error" in item ? item : [item.source, item.title, getText(item.document)];

describe("the items of a request", () => {
  it("are texts, Markdown, pages and files, in the request's order, sources first", async () => {
    const items = await load(
      [
        { type: "text", value: " One\r\ntwo " },
        { type: "markdown", value: "Hello\n\n# Title", title: null },
        { type: "url", value: `${origin}/moved`, title: "Given" },
        "three words here",
        ` ${origin}/readme.md`,
      ],
      [file("notes.txt", "Some notes"), file("guide.md", "# Guide\n\ntext", { contentType: "text/markdown" })],
    );
    expect(items.map(seen)).toEqual([
      ["text:0", "One two", "One\ntwo"],
      ["markdown:1", "Title", "Hello\n\n# Title"],
      [`url:${origin}/moved`, "Given", "Numbers went up."],
      ["text:3", "three words here", "three words here"],
      [`url:${origin}/readme.md`, "Read me", "# Read me\n\nPlease."],
      ["file:notes.txt", "notes.txt", "Some notes"],
      ["file:guide.md", "Guide", "# Guide\n\ntext"],
    ]);
    expect(items[2]).toMatchObject({ url: `${origin}/docs/report.pdf`, document: { contentType: "application/pdf" } });
    expect(items[6]).toMatchObject({ filename: "guide.md" });
  });

  it("don't wait for a page whose server hangs", async () => {
    const paths = ["/silent", "/readme.md", "/page", "/silent", "/docs/report.pdf"];
    const read: string[] = [];
    const others = Promise.withResolvers<void>();
    const hanging: SourceOptions = {
      ...options,
      pages: new PageFetches(async (url, ...rest) => {
        if (url.endsWith("/silent")) await others.promise;
        return fetchPage(url, ...rest);
      }),
    };
    for await (const { item } of readItems(toEntries(paths.map((path) => origin + path)), hanging)) {
      read.push(item.source.slice(`url:${origin}`.length));
      if (read.length === 3) others.resolve();
    }
    expect(read.slice(0, 3).sort()).toEqual(["/docs/report.pdf", "/page", "/readme.md"]);
    expect(read.slice(3)).toEqual(["/silent", "/silent"]);
  });

  it("are read from a page in its declared encoding, with links made absolute", async () => {
    const [item] = await load([`${origin}/page`]);
    expect(seen(item)).toEqual([`url:${origin}/page`, "Чай", `Привет all [Привет](${origin}/next)`]);
  });

  it("are titled by the first words when nothing else is known", async () => {
    const [item] = await load(["word ".repeat(100)]);
    expect(item?.title).toBe(`${"word ".repeat(16).trim()}…`);
  });

  it("fail one by one, each with its reason, and never together", async () => {
    const items = await load(
      [
        { type: "spell", value: "abra" },
        { type: "text" },
        { type: "text", value: "  \n " },
        { type: "url", value: "ftp://example.com/a", title: "T" },
        { type: "url", value: "not an address" },
        `${origin}/missing`,
        `${origin}/silent`,
        `${origin}/large`,
        `${origin}/image`,
        `${origin}/scan`,
        "http://127.0.0.1:1/closed",
        42,
        "fine",
      ],
      [
        file("empty.pdf", ""),
        file("huge.txt", "x".repeat(10_001)),
        file("cut.txt", "x", { truncated: true }),
        file("broken.docx", "PK\x03\x04 not really"),
        file("fine.txt", "fine too"),
      ],
    );
    expect(items.map((item) => ("error" in item ? [item.source, item.code] : item.source))).toEqual([
      ["text:0", "invalid_item"],
      ["text:1", "invalid_item"],
      ["text:2", "empty"],
      ["url:ftp://example.com/a", "invalid_url"],
      ["url:not an address", "invalid_url"],
      [`url:${origin}/missing`, "http_status"],
      [`url:${origin}/silent`, "timed_out"],
      [`url:${origin}/large`, "too_large"],
      [`url:${origin}/image`, "unsupported"],
      [`url:${origin}/scan`, "no_text"],
      ["url:http://127.0.0.1:1/closed", "unreachable"],
      ["text:11", "invalid_item"],
      "text:12",
      ["file:empty.pdf", "empty"],
      ["file:huge.txt", "too_large"],
      ["file:cut.txt", "too_large"],
      ["file:broken.docx", "damaged"],
      "file:fine.txt",
    ]);
    expect(items[0]).toMatchObject({ error: expect.stringContaining('"spell"') });
    expect(items[1]).toMatchObject({ error: expect.stringContaining("value") });
    expect(items[3]).toMatchObject({ title: "T" });
    expect(items[14]).toMatchObject({ error: expect.stringContaining("10000 bytes") });
    expect(reported).toEqual([]);
  });

  it.each([
    [null, "it is neither an object nor a text"],
    [[1], "it is neither an object nor a text"],
    [{}, "type is missing; value is missing"],
    [{ type: "text", value: 5 }, "value must be text"],
    [{ type: "text", value: "x", title: {} }, "title must be text"],
    [{ type: "text", value: "x", metadata: { page: 1 } }, "metadata.page has a name that the service uses"],
    [
      { type: "text", value: "x", metadata: [] },
      "metadata must be an object of texts, numbers, booleans and lists of them",
    ],
  ])("that are wrong, such as %j, are told what they should be", async (source, reason) => {
    const [item] = await load([source]);
    expect(item).toEqual({
      source: "text:0",
      code: "invalid_item",
      error: `Give the source as {type, value, id?, title?} or as a string: ${reason}.`,
    });
  });

  it("at private addresses are refused where they are not allowed", async () => {
    const [item] = await load([`${origin}/readme.md`], [], {
      pages: new PageFetches((url, path) =>
        safeFetch(url, { path, allowPrivate: false, timeoutMs: 1_000, maxBytes: 10_000 }),
      ),
    });
    expect(item).toMatchObject({ code: "forbidden_address" });
  });

  it("that fail for no fault of theirs are reported to the service, without details to the client", async () => {
    const [item] = await load([], [file("a.txt", "text", { path: "/secret/path" })]);
    expect(item).toEqual({
      source: "file:a.txt",
      title: "a.txt",
      error: "The item could not be read.",
      code: "damaged",
    });
    expect(reported.splice(0)).toMatchObject([{ code: "ENOENT" }]);
  });

  it("end with the request that is given up", async () => {
    const controller = new AbortController();
    const items = readItems(toEntries([`${origin}/silent`]), options, {
      client: "anyone",
      signal: controller.signal,
    });
    const next = items.next();
    controller.abort(new Error("gone"));
    await expect(next).rejects.toThrow("gone");
  });
});
