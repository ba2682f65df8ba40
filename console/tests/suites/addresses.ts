import { describe, expect } from "vitest";
import { openClipboard } from "../gestures.ts";
import { answered, ask, view } from "../page.ts";
import { eventually, test } from "../stage.ts";

describe("other addresses", () => {
  test("a service that is down is reported in its chat and in Status", async ({ visit }) => {
    const page = await visit({ at: "?listing=http://127.0.0.1:9#/listing" });
    await ask(page, "Top launches");
    await page.getByRole("alert").filter({ hasText: "Nothing answers at http://127.0.0.1:9." }).waitFor();
    await page.context().setOffline(true);
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("alert").filter({ hasText: "This device is offline. Nothing answers at" }).waitFor();
    await page.context().setOffline(false);
    await view(page, "Status");
    await page.getByRole("article", { name: "Listing" }).getByText("Down").waitFor();
    await page.getByRole("article", { name: "Knowledge" }).getByText("Ready").waitFor();
  });

  test("are kept in the page's address only, as Status says, where the server's own are a click away", async ({
    visit,
  }) => {
    const page = await visit({ at: "?listing=http://127.0.0.1:9#/status" });
    const note = page.getByText("kept in the address of this page only, so bookmark it");
    await note.waitFor();
    await page.reload();
    await page.getByRole("article", { name: "Listing" }).getByText("http://127.0.0.1:9", { exact: true }).waitFor();
    await page.getByRole("link", { name: "Use this server's own" }).click();
    await page.getByRole("article", { name: "Listing" }).getByText("Ready").waitFor();
    expect([await note.count(), new URL(page.url()).search]).toEqual([0, ""]);
  });

  test("a link to another host sends nothing until the user has confirmed it", async ({ visit }) => {
    const page = await visit();
    const address = new URL(page.url());
    const asked: string[] = [];
    await page.route("https://elsewhere.example/**", (route) => {
      asked.push(route.request().url());
      return route.fulfill({ json: { status: "ok" }, headers: { "Access-Control-Allow-Origin": "*" } });
    });
    const link = `${address.origin}/?knowledge=https://elsewhere.example#/status`;
    await page.goto(link);
    const question = page.getByRole("dialog", { name: "Connect to other hosts?" });
    await question.getByText("https://elsewhere.example").waitFor();
    expect(asked).toEqual([]);
    await page.keyboard.press("Escape");
    await page.getByRole("article", { name: "Knowledge" }).getByText("Ready").waitFor();
    expect([asked, new URL(page.url()).search]).toEqual([[], ""]);
    await page.goto(link);
    await question.getByRole("button", { name: "Connect", exact: true }).click();
    await page.getByRole("article", { name: "Knowledge" }).waitFor();
    await eventually(() => asked.length).toBeGreaterThan(0);
    await page.reload();
    await page.getByRole("article", { name: "Knowledge" }).waitFor();
    expect(await question.count()).toBe(0);
  });

  test("a key is sent to its service, never copied, and forgotten on a reload", async ({ page }) => {
    const sentKey = async () => {
      const request = page.waitForRequest((sent) => sent.url().endsWith("/agent") && sent.method() === "POST");
      await ask(page, "Hello");
      const sent = await (await request).headerValue("authorization");
      await answered(page);
      return sent;
    };
    await view(page, "Status");
    await page.getByRole("button", { name: "Change address of Listing" }).click();
    await page.getByLabel("Key, if the service asks").fill("secret-key");
    await page.getByRole("button", { name: "Use this address" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await view(page, "Listing");
    expect(await sentKey()).toBe("Bearer secret-key");
    const copied = await openClipboard(page);
    await page.getByRole("button", { name: "Copy as curl" }).click();
    await eventually(copied).toContain('-H "Authorization: Bearer $API_KEY"');
    const kept = () => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href]);
    expect(await page.evaluate(kept)).not.toContain("secret-key");
    await page.reload();
    expect(await sentKey()).toBeNull();
  });

  test("Status shows what answers, the URLs to paste, and what is missing for production", async ({
    page,
    stack,
    provider,
  }) => {
    await view(page, "Status");
    await page.getByText(`http://127.0.0.1:${stack.ports.KNOWLEDGE_PORT}/stream`).waitFor();
    await page.getByText(new URL(provider.baseUrl).host).first().waitFor();
    await page.getByText(/Version \d+\.\d+/).waitFor();
    const missing = page.getByRole("group").filter({ hasText: "missing for production" }).first();
    await missing.getByText("missing for production").click();
    await missing.getByText("It answers without a key").waitFor();
    expect(await missing.getByRole("listitem").allTextContents()).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/HTTPS.*missing/s),
        expect.stringMatching(/CORS origins.*missing/s),
        expect.stringMatching(/Provider.*fine/s),
      ]),
    );
  });
});
