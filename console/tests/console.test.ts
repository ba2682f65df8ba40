import { gzipSync } from "node:zlib";
import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { startBrowser } from "./browser.ts";
import { answered, ask, openPage, useNamespace } from "./page.ts";
import type { Stack } from "./stack.ts";
import { startStack } from "./stack.ts";

/** Words in the question choose what the provider does; any other is answered by a citation where there is a passage. */
const scripts: [RegExp, Parameters<ScriptedProvider["script"]>[0]][] = [
  [/refuse/, answer.error(401, "The key was refused.")],
  [/hang/, answer.hangAfter("First words")],
  [/weather/, answer.toolCalls([{ name: "get_weather", args: ['{"city":', '"Bern"}'] }])],
  [
    /hostile/,
    answer.text(
      '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script> [a](javascript:window.hacked=1) [b](data:text/html,x) ![i](http://127.0.0.1:9/pixel.png) [c](https://example.com/)',
    ),
  ],
  [/table/, answer.text("| a | b |\n|---|---|\n| 1 | 2 |\n\n```js\nlet x = 1;\n```")],
  [/long/, answer.text(...Array.from({ length: 400 }, (_, line) => `Line ${line}.\n\n`))],
];

let provider: ScriptedProvider;
let stack: Stack;
let browser: Browser;
let page: Page;
let faults: string[];
let close: () => Promise<void>;

beforeAll(async () => {
  provider = await startScriptedProvider();
  provider.script((request, index) => {
    const { messages } = request.body as { messages: { role: string; content: unknown }[] };
    const question = String(messages.findLast(({ role }) => role === "user")?.content);
    const hasResult =
      messages.at(-1)?.role === "tool" && messages.some(({ content }) => String(content).includes("Sunny"));
    const script = scripts.find(([words]) => words.test(question))?.[1];
    if (script && !hasResult) return script as ReturnType<typeof answer.text>;
    return answer.text(hasResult ? "It is sunny." : `Within 5 working days [1].${index ? "" : " "}`);
  });
  [stack, browser] = await Promise.all([
    startStack({ LLM_API_KEY: "test", LLM_BASE_URL: provider.baseUrl }),
    startBrowser(),
  ]);
}, 90_000);

afterAll(async () => {
  await browser.close();
  await stack.close();
  await provider.close();
});

beforeEach(async () => {
  ({ page, faults, close } = await openPage(browser, stack.url));
});
afterEach(async () => {
  await close();
  expect(faults).toEqual([]);
});

const view = async (name: string) => {
  await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name }).click();
};
const conversation = () => page.getByRole("region", { name: "Conversation" });
const chip = () => page.getByRole("button", { name: "1", exact: true }).first();

// Asked again where a busy machine keeps the browser waiting: each test is also right on its own second try.
describe("a first visit", { retry: 2 }, () => {
  test("is small, fast, and loads nothing from elsewhere", async () => {
    const scriptsOf = await page.evaluate(() => performance.getEntriesByType("resource").map(({ name }) => name));
    expect(scriptsOf.every((name) => new URL(name).hostname === "127.0.0.1")).toBe(true);
    const loaded = scriptsOf.filter((name) => name.endsWith(".js"));
    const sizes = await Promise.all(
      loaded.map(async (name) => gzipSync(Buffer.from(await (await fetch(name)).arrayBuffer())).length),
    );
    expect(loaded.length).toBeGreaterThan(0);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(150_000);
  });

  test("is served with a policy that lets no inline script run, cached by content", async () => {
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

  test("leads from a sample document to a cited answer, whose passage opens with the quote marked", async () => {
    await useNamespace(page, "first");
    await page.getByRole("button", { name: "Try a sample document" }).click();
    await answered(page);
    await chip().click();
    const dialog = page.getByRole("dialog", { name: "Returns and refunds" });
    await expect.poll(() => dialog.locator("mark").textContent()).toContain("Refunds are paid within 5 working days");
    await expect.poll(() => dialog.textContent()).toContain("Exchanges");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    await page.reload();
    await conversation().locator(".answer-text").getByText("Within 5 working days").waitFor();
  });
});

describe("a document of one's own", { retry: 2 }, () => {
  test("is uploaded with its progress, and answers cite it", async () => {
    await view("Library");
    await useNamespace(page, "own");
    const text =
      "# Opening hours\n\nThe shop in Zürich opens at nine.\n\n# Refunds\n\nRefunds are paid within 5 working days.";
    const file = (name: string, content: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });
    await page.evaluate(() => {
      const seen: string[] = [];
      Object.assign(window, { seen });
      new MutationObserver(() => {
        for (const { ariaLabel } of document.querySelectorAll("progress")) if (ariaLabel) seen.push(ariaLabel);
      }).observe(document.body, { subtree: true, childList: true, attributes: true });
    });
    await page
      .getByLabel("Choose files")
      .setInputFiles([file("hours.md", text), file("copy.md", text), file("broken.pdf", "%PDF-1.7 nothing")]);
    const uploads = page.getByRole("region", { name: "Uploads" });
    await uploads.getByText("3 of 3 done").waitFor();
    await uploads
      .getByRole("listitem")
      .filter({ hasText: /broken\.pdf.*Error.*damaged/s })
      .waitFor();
    for (const [name, outcome] of [
      ["hours.md", /Saved|Skipped/],
      ["copy.md", /Saved|Skipped/],
    ] as const) {
      await uploads.getByRole("listitem").filter({ hasText: name }).filter({ hasText: outcome }).waitFor();
    }
    expect(await uploads.getByText("Skipped", { exact: true }).count()).toBe(1);
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen.join());
    expect(seen).toMatch(/Sending: hours\.md/);
    expect(seen).toMatch(/(Queued|Reading|Embedding|Storing): hours\.md/);

    await page
      .getByRole("region", { name: "Documents" })
      .getByRole("button", { name: /^(hours|copy|Opening)/ })
      .click();
    await page.getByRole("dialog").getByText("The shop in Zürich").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Ask about it" }).click();
    await ask(page, "When are refunds paid?");
    await answered(page);
    await chip().click();
    await page.getByRole("dialog").locator("mark").filter({ hasText: "Refunds are paid" }).waitFor();
  });

  test("is pasted, found by a search with marked words, deleted, and brought back", async () => {
    await view("Library");
    await useNamespace(page, "pasted");
    await page.getByLabel("Or paste text").fill("http://127.0.0.1:9/a\nhttp://127.0.0.1:9/b");
    await page.getByRole("button", { name: "Add 2 addresses" }).click();
    await page.getByText("2 of 2 done").waitFor();
    await page.getByLabel("Or paste text").fill("Parking is free behind the shop.");
    await page.getByLabel("Title").fill("Parking");
    await page.getByRole("button", { name: "Add text" }).click();
    const documents = page.getByRole("region", { name: "Documents" });
    await documents.getByRole("button", { name: /^Parking/ }).waitFor();
    await page.getByLabel("Search the library").fill("Where is free parking?");
    await page.getByLabel("Search the library").press("Enter");
    const hit = page.getByRole("list", { name: "Hits" }).getByRole("listitem").first();
    await expect.poll(() => hit.locator("mark").allTextContents()).toEqual(["Parking", "free"]);
    expect(await hit.textContent()).toMatch(/[01]\.\d\d/);
    await documents.getByRole("button", { name: "Delete Parking" }).click();
    await documents.getByText("Nothing is in").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await documents.getByRole("button", { name: "Delete Parking" }).click();
    await view("Status");
    await view("Library");
    await expect
      .poll(async () =>
        (await fetch(`http://127.0.0.1:${stack.ports.KNOWLEDGE_PORT}/api/namespaces/pasted/documents`)).json(),
      )
      .toMatchObject({ documents: [] });
  });

  test("with hostile Markdown is shown as text", async () => {
    await view("Library");
    await useNamespace(page, "hostile");
    const hostile = `<script>window.hacked=1</script><img src=x onerror="window.hacked=1"> [a](javascript:alert(1)) Refunds`;
    await page.getByLabel("Or paste text").fill(hostile);
    await page.getByRole("button", { name: "Add text" }).click();
    await page.getByRole("link", { name: "Ask about it" }).click();
    await ask(page, "Refunds?");
    await answered(page);
    await chip().click();
    await page.getByRole("dialog").locator("mark").filter({ hasText: "<script>window.hacked=1</script>" }).waitFor();
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
  });
});

describe("a question", { retry: 2 }, () => {
  test("to Listing shows the tool call folded, launches as a table, and what was on the wire", async () => {
    await view("Listing");
    await ask(page, "Top 3 launches of last week");
    await answered(page);
    const call = page.getByRole("group").filter({ hasText: "top_timeframe" });
    await call.locator("summary").click();
    expect(await call.getByRole("region", { name: "Launches" }).getByRole("row").count()).toBe(4);
    const wire = page.getByRole("region", { name: "Wire" });
    expect(await wire.getByRole("listitem").last().textContent()).toContain("[DONE]");
    expect(await wire.textContent()).toMatch(/First token[\d.]+ m?s/);
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await wire.getByRole("button", { name: "Copy as curl" }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -N 'http:.*\/agent'/);
  });

  test("is celebrated with confetti, unless less motion is wanted", async () => {
    await view("Listing");
    await ask(page, "We did it! Fire the confetti");
    await page.locator("canvas.confetti").waitFor({ state: "attached" });
    await answered(page);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.locator("canvas.confetti").waitFor({ state: "detached" });
    await ask(page, "Confetti again please");
    await expect.poll(() => page.getByText(/particles/).count()).toBe(2);
    await answered(page);
    expect(await page.locator("canvas.confetti").count()).toBe(0);
  });

  test.each(["Express", "Nest"])(
    "to the relay's %s implementation may call tools, whose results go back",
    async (name) => {
      await view("Relay");
      await page.getByRole("radio", { name }).check();
      await page.getByRole("button", { name: "Tools" }).click();
      await page.getByLabel("Tools as JSON").fill("[{]");
      await page.getByText("This is not JSON").waitFor();
      await page.getByRole("button", { name: "Insert a sample" }).click();
      await page.getByRole("button", { name: "Use these tools" }).click();
      await ask(page, "How is the weather?");
      await page.getByText('"city": "Bern"').waitFor();
      await page.getByLabel("Result of get_weather").fill("Sunny");
      await page.getByRole("button", { name: "Give result" }).click();
      await conversation().getByText("It is sunny.").waitFor();
      const port = name === "Nest" ? stack.ports.RELAY_NEST_PORT : stack.ports.RELAY_PORT;
      expect(await page.getByRole("region", { name: "Events" }).textContent()).toContain("RUN_FINISHED");
      expect(await page.evaluate(() => performance.getEntriesByType("resource").map((entry) => entry.name))).toContain(
        `http://127.0.0.1:${port}/agent`,
      );
    },
  );

  test("is stopped, and the provider's request with it; then it can be asked again", async () => {
    await view("Relay");
    const before = provider.chatRequests.length;
    await ask(page, "Please hang");
    await conversation().getByText("First words").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await page.getByText("Stopped", { exact: true }).first().waitFor();
    await provider.chatRequests[before]?.closed;
    expect(provider.chatRequests[before]?.aborted).toBe(true);
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("button", { name: "Stop" }).click();
  });

  test("that the provider refuses gets the error as the service words it", async () => {
    await view("Relay");
    await ask(page, "Please refuse");
    await page.getByRole("alert").filter({ hasText: "The key was refused." }).waitFor();
    await page.getByRole("button", { name: "Retry" }).waitFor();
  });

  test("is answered in Markdown, in which nothing runs and only safe links lead anywhere", async () => {
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await view("Relay");
    await ask(page, "Be hostile");
    await answered(page);
    const links = page.locator(".answer-text a");
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
      "http://127.0.0.1:9/pixel.png",
      "https://example.com/",
    ]);
    expect(await links.last().getAttribute("rel")).toContain("noopener");
    expect(await page.locator(".answer-text :is(img, script)").count()).toBe(0);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(requested.filter((url) => url.includes("pixel"))).toEqual([]);
    await ask(page, "A table please");
    await page.getByRole("cell", { name: "2" }).waitFor();
    await conversation().getByText("let x = 1;").waitFor();
  });

  test("with a long answer is followed to its end until the user scrolls up", async () => {
    await view("Relay");
    await ask(page, "A long one");
    await answered(page);
    await expect.poll(() => conversation().getByText("Line 399.").isVisible()).toBe(true);
    const rest = () =>
      conversation().evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await expect.poll(rest).toBeLessThan(4);
    await conversation().hover();
    await page.mouse.wheel(0, -2_000);
    await expect.poll(rest).toBeGreaterThan(1_000);
    await page.getByRole("button", { name: "Latest" }).click();
    await expect.poll(rest).toBeLessThan(4);
  });
});

describe("other addresses", { retry: 2 }, () => {
  test("a service that is down is told, in its chat and in Status", async () => {
    await page.goto(`${stack.url}?listing=http://127.0.0.1:9#/listing`);
    await ask(page, "Top launches");
    await page.getByRole("alert").filter({ hasText: "Nothing answers at http://127.0.0.1:9." }).waitFor();
    await view("Status");
    await page.getByRole("article", { name: "Listing" }).getByText("Down").waitFor();
    await page.getByRole("article", { name: "Knowledge" }).getByText("Ready").waitFor();
  });

  test("a key is sent to its service, is left out of what is copied, and is forgotten on a reload", async () => {
    await view("Status");
    await page.getByRole("button", { name: "Change address of Relay (Express)" }).click();
    await page.getByLabel("Key, if the service asks").fill("secret-key");
    await page.getByRole("radio", { name: "X-API-Key" }).check();
    await page.getByRole("button", { name: "Use this address" }).click();
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await view("Relay");
    const request = page.waitForRequest((sent) => sent.url().endsWith("/agent") && sent.method() === "POST");
    await ask(page, "Hello");
    expect(await (await request).headerValue("x-api-key")).toBe("secret-key");
    await answered(page);
    expect(
      await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href])),
    ).not.toContain("secret-key");
  });

  test("Status says what answers, what to paste, and what is missing for production", async () => {
    await view("Status");
    await page.getByText(`http://127.0.0.1:${stack.ports.KNOWLEDGE_PORT}/stream`).waitFor();
    await page.getByText(provider.baseUrl.replace(/\/v1$/, "")).waitFor();
    const missing = page.getByRole("group").filter({ hasText: "missing for production" }).first();
    await missing.getByText("missing for production").click();
    await missing.getByText("It answers without a key").waitFor();
    expect(await missing.getByRole("listitem").allTextContents()).toEqual(
      expect.arrayContaining([expect.stringMatching(/HTTPS.*missing/s), expect.stringMatching(/Provider.*fine/s)]),
    );
  });
});
