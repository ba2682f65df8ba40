import { createServer } from "node:http";
import { gzipSync } from "node:zlib";
import { knowledgeLimits, sitemapResponseSchema } from "@agent-backends/contract";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { describe, expect, it } from "vitest";
import { postJson } from "../knowledge-process.ts";
import { service } from "./service.ts";

const files = new Map<string, string | Buffer>();
let fetches = 0;
const site = createServer(({ url = "" }, response) => {
  fetches += 1;
  const body = files.get(url);
  response
    .writeHead(body === undefined ? 404 : 200, {
      "content-type": url.includes(".xml") ? "application/xml" : "text/plain",
    })
    .end(body);
});
const origin = await listenOnLoopback(site);

const urlset = (locations: readonly string[], rest = "") =>
  `<?xml version="1.0"?>\n<!-- made --><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${locations
    .map((loc) => `<url>\n<loc>${loc}</loc>${rest}</url>`)
    .join("")}</urlset>`;
const index = (locations: readonly string[]) =>
  `<sitemapindex>${locations.map((loc) => `<sitemap><loc>${loc}</loc></sitemap>`).join("")}</sitemapindex>`;

async function read(path: string, body?: string | Buffer) {
  if (body !== undefined) files.set(path, body);
  fetches = 0;
  const answer = await postJson(`${service.baseUrl}/api/tools/readSitemap`, { url: origin + path });
  if (answer.status === 200) expect(sitemapResponseSchema.parse(answer.body)).toEqual(answer.body);
  return answer;
}

describe("a sitemap", () => {
  it("names its pages, which can be ingested", async () => {
    files.set("/a?b=1&c", "Lions roar.");
    const lastmod = "<lastmod>2026-11-02</lastmod><image:loc>https://img.example/</image:loc>";
    const { body } = await read(
      "/sitemap.xml",
      urlset([`${origin}/a?b=1&amp;c`, ` <![CDATA[${origin}/b]]> `], lastmod),
    );
    const time = "2026-11-02T00:00:00.000Z";
    expect(body).toEqual({
      url: `${origin}/sitemap.xml`,
      pages: [
        { url: `${origin}/a?b=1&c`, lastmod: time },
        { url: `${origin}/b`, lastmod: time },
      ],
      skipped: 0,
      truncated: false,
      errors: [],
    });
    const sources = [body.pages[0].url];
    const ingested = await service.ingest({ sources });
    expect(ingested.body.saved).toMatchObject([{ source: `url:${origin}/a?b=1&c` }]);
  });

  it("may be an index of others, packed or not, of which one that fails is an error", async () => {
    files.set("/1.xml.gz", gzipSync(urlset([`${origin}/one`])));
    files.set("/2.xml", urlset([`${origin}/two`, `${origin}/one`], "<lastmod>yesterday</lastmod>"));
    const { body } = await read(
      "/index.xml",
      index([`${origin}/1.xml.gz`, `${origin}/missing.xml`, `${origin}/2.xml`]),
    );
    expect(body.pages).toEqual([{ url: `${origin}/one` }, { url: `${origin}/two` }]);
    expect(body.errors).toMatchObject([{ url: `${origin}/missing.xml`, code: "http_status" }]);
  });

  it("that names a page several times keeps the latest of its times", async () => {
    const page = (lastmod: string) => urlset([`${origin}/a`], lastmod).replace(/.*<urlset[^>]*>|<\/urlset>/gs, "");
    const times = ["2026-11-01", "2026-11-03", "2026-11-02", "soon"];
    const pages = [...times.map((time) => page(`<lastmod>${time}</lastmod>`)), page("")];
    const { body } = await read("/again.xml", `<urlset>${pages.join("")}</urlset>`);
    expect(body.pages).toEqual([{ url: `${origin}/a`, lastmod: "2026-11-03T00:00:00.000Z" }]);
  });

  it("that includes itself, or names other hosts and no pages, is read once and leaves them out", async () => {
    const { body } = await read(
      "/self.xml",
      index([`${origin}/self.xml`, "http://169.254.169.254/", "file:///etc/passwd"]),
    );
    expect([body.pages, body.skipped, fetches]).toEqual([[], 2, 1]);
    const others = await read(
      "/others.xml",
      urlset(["https://elsewhere.example/", `${origin}:1/`, "javascript:alert(1)", "", `${origin}/own`]),
    );
    expect(others.body).toMatchObject({ pages: [{ url: `${origin}/own` }], skipped: 4 });
  });

  it("of more pages or sitemaps than the limits says that it was cut", async () => {
    const many = Array.from({ length: knowledgeLimits.sitemapPages + 5 }, (_, page) => `${origin}/${page}`);
    const { body } = await read("/many.xml", urlset(many));
    expect([body.pages.length, body.truncated]).toEqual([knowledgeLimits.sitemapPages, true]);
    const all = Array.from({ length: knowledgeLimits.sitemapFiles + 5 }, (_, file) => `${origin}/none-${file}.xml`);
    const files = await read("/files.xml", index(all));
    expect([files.body.truncated, fetches]).toEqual([true, knowledgeLimits.sitemapFiles]);
  });

  const bomb = `<!DOCTYPE x [<!ENTITY a "${"b".repeat(1000)}">]>${urlset(["&a;&a;"])}`;
  it.each([
    ["a page", "<html><body>Hi</body></html>", /not that of a sitemap/],
    ["nothing", "", /not that of a sitemap/],
    ["comments alone", "<!---->".repeat(1_400), /not that of a sitemap/],
    ["a document type with entities", bomb, /not that of a sitemap/],
    ["an entry without end", `<urlset><url><loc>${"x".repeat(400_000)}`, /without an end tag/],
    ["a gzip bomb", gzipSync("<urlset>".padEnd(20_000_000, "<url></url>")), /over the limit/],
    ["half a gzip file", gzipSync(urlset(["https://a.example/"])).subarray(0, 40), /can't be decompressed/],
  ])("that is %s is refused", async (what, content, reason) => {
    const { status, body } = await read(`/${encodeURIComponent(what)}`, content);
    expect([status, body.detail]).toEqual([422, expect.stringMatching(reason)]);
  });

  it("at an address that fails is refused", async () => {
    const errors = [{ pointer: "/url", detail: expect.stringMatching(/404/) }];
    expect(await read("/nowhere.xml")).toMatchObject({ status: 422, body: { detail: errors[0]?.detail, errors } });
    const { status } = await postJson(`${service.baseUrl}/api/tools/readSitemap`, {});
    expect(status).toBe(422);
  });
});
