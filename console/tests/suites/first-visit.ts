import { gzipSync } from "node:zlib";
import { describe, expect } from "vitest";
import { answered, chip, chooseNamespace, conversation } from "../page.ts";
import { eventually, test } from "../stage.ts";

describe("a first visit", () => {
  test("loads little, and nothing from other hosts", async ({ open }) => {
    const page = await open();
    const loaded = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    expect(loaded.filter((name) => new URL(name).hostname !== "127.0.0.1")).toEqual([]);
    const scripts = loaded.filter((name) => name.endsWith(".js"));
    const sizes = await Promise.all(
      scripts.map(async (name) => gzipSync(Buffer.from(await (await fetch(name)).arrayBuffer())).length),
    );
    expect(scripts.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(110_000);
  });

  test("accepts input soon, also on a busy machine", async ({ open }) => {
    const page = await open();
    await page.addInitScript(() => {
      new MutationObserver((_, observer) => {
        if (!document.querySelector("textarea")) return;
        performance.mark("interactive");
        observer.disconnect();
      }).observe(document, { subtree: true, childList: true });
    });
    await page.reload();
    await page.getByLabel("Message").fill("Hello");
    expect(await page.getByRole("button", { name: "Send" }).isEnabled()).toBe(true);
    const startTime = () => performance.getEntriesByName("interactive")[0]?.startTime;
    expect(await page.evaluate(startTime)).toBeLessThan(8_000);
  });

  test("is served with a policy that forbids inline scripts, and with immutable assets", async ({ stack }) => {
    const index = await fetch(stack.url);
    expect(index.headers.get("content-security-policy")).toMatch(/script-src 'self';/);
    expect(index.headers.get("content-security-policy")).not.toContain("unsafe");
    const [, asset] = (await index.text()).match(/src="\/(assets\/[^"]+)"/) ?? [];
    const script = await fetch(stack.url + asset, { headers: { "Accept-Encoding": "br" } });
    expect(script.headers.get("cache-control")).toContain("immutable");
    expect(script.headers.get("content-encoding")).toBe("br");
    for (const path of ["..%2f..%2fpackage.json", "%2e%2e/package.json", "nothing.js"]) {
      expect((await fetch(stack.url + path)).status).toBe(404);
    }
  });

  test("leads from a sample document to a cited answer, whose citation opens with the quote marked", async ({
    page,
  }) => {
    await chooseNamespace(page, "first");
    await page.getByRole("button", { name: "Try a sample document" }).click();
    await answered(page);
    await chip(page).click();
    const dialog = page.getByRole("dialog", { name: "Returns and refunds" });
    await eventually(() => dialog.locator("mark").textContent()).toContain("Refunds are paid within 5 working days");
    await eventually(() => dialog.textContent()).toContain("Exchanges");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.reload();
    await conversation(page).locator(".answer-text").getByText("Within 5 working days").waitFor();
  });
});
