// Opens the site built by `npm run docs`. Checks that every linked page loads, that search finds a heading, and that no request leaves
// the site.
import { strict as assert } from "node:assert";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { startBrowser } from "../../console/tests/browser.ts";

const types: Record<string, string> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

async function checkSite(folder: string): Promise<string> {
  const server = createServer(async (request, response) => {
    const path = new URL(request.url ?? "/", "http://site").pathname.replace(/\/$/, "/index.html");
    const body = await readFile(join(folder, path)).catch(() => undefined);
    response
      .writeHead(body ? 200 : 404, { "Content-Type": types[extname(path)] ?? "application/octet-stream" })
      .end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    const foreign: string[] = [];
    const failed: string[] = [];
    page.on("request", (request) => request.url().startsWith(origin) || foreign.push(request.url()));
    page.on("response", (response) => response.ok() || failed.push(response.url()));
    page.on("pageerror", (error) => failed.push(error.message));
    await page.goto(origin);
    const links = new Set([`${origin}/`]);
    for (const link of links) {
      await page.goto(link);
      assert.notEqual(await page.locator("main h1").textContent(), "", link);
      const found = await page
        .locator(".VPSidebar a, main a")
        .evaluateAll((all) => all.map((one) => (one as unknown as { href: string }).href.replace(/#.*/, "")));
      for (const one of found) if (one.startsWith(origin)) links.add(one);
    }
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("searchbox").fill("token budgets");
    await page.locator(".VPLocalSearchBox .result").first().click();
    await page.locator("main h1").waitFor();
    assert.deepEqual([foreign, failed], [[], []]);
    return `The browser opened ${links.size} pages and found "token budgets" at ${page.url().slice(origin.length)}. No request left the site.`;
  } finally {
    await browser.close();
    server.close();
  }
}

process.stdout.write(`${await checkSite(fileURLToPath(new URL("../../dist/docs", import.meta.url)))}\n`);
