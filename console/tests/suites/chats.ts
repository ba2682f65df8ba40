import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { describe, expect } from "vitest";
import { hasFocus, openClipboard } from "../gestures.ts";
import { answered, ask, conversation, newChat, view } from "../page.ts";
import { eventually, test } from "../stage.ts";

describe("a question", () => {
  test("to the relay keeps its tools after a view change and a reload, before and after it is asked", async ({
    page,
  }) => {
    const tools = page.getByRole("button", { name: "Tools (1)" });
    const leaveAndReturn = async () => {
      await view(page, "Status");
      await view(page, "Relay");
      await tools.waitFor();
      await page.reload();
      await tools.waitFor();
    };
    await view(page, "Relay");
    await page.getByRole("button", { name: "Tools" }).click();
    await page.getByRole("button", { name: "Insert a sample" }).click();
    await page.getByRole("button", { name: "Use these tools" }).click();
    await leaveAndReturn();
    await ask(page, "How is the weather?");
    await answered(page);
    await leaveAndReturn();
    await newChat(page);
    await page.getByRole("button", { name: "Tools", exact: true }).waitFor();
  });

  test("whose answer the provider cuts off says so, and can be continued", async ({ page }) => {
    for (const name of ["Knowledge", "Relay"]) {
      await view(page, name);
      await ask(page, "Please cut this");
      await conversation(page).getByText("Cut off at the length limit").waitFor();
      expect(await page.getByRole("status").filter({ hasText: "Cut off at the length limit" }).count()).toBe(1);
      await page.getByRole("button", { name: "Continue" }).click();
      await answered(page);
      expect(await page.locator(".message-user").allTextContents()).toEqual(["You: Please cut this", "You: Go on."]);
    }
  });

  test("that gets an empty answer says so", async ({ chat }) => {
    const page = await chat("relay");
    await ask(page, "Be silent");
    await conversation(page).getByText("The model gave an empty answer.").waitFor();
  });

  test("whose connection breaks says that the answer is incomplete, and can be asked again", async ({ chat }) => {
    const page = await chat("relay");
    const events = [{ type: "RUN_STARTED" }, { type: "TEXT_MESSAGE_CONTENT", delta: "Half of" }];
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
    await page.route("**/agent?*", (route) =>
      route.fulfill({ body, contentType: "text/event-stream", headers: { "Access-Control-Allow-Origin": "*" } }),
    );
    await ask(page, "Tell me everything");
    await page.getByRole("alert").filter({ hasText: "ended before the answer was complete" }).waitFor();
    await conversation(page).getByText("Half of").waitFor();
    expect(await page.getByRole("status").filter({ hasText: "complete" }).count()).toBe(0);
    await page.unroute("**/agent?*");
    await page.getByRole("button", { name: "Retry" }).click();
    await answered(page);
  });

  test("to Listing shows a collapsed tool call, a table of launches, and a wire log to open, copy, filter, group and export", async ({
    chat,
  }) => {
    const page = await chat("listing");
    await ask(page, "Top 3 launches of last week");
    await answered(page);
    const call = page.getByRole("group").filter({ hasText: "top_timeframe" });
    expect(await call.locator("summary").textContent()).toMatch(/3 of \d+ launches · /);
    await call.locator("summary").click();
    expect(await call.getByRole("region", { name: "Launches" }).getByRole("row").count()).toBe(4);

    const copied = await openClipboard(page);
    const wire = page.getByRole("region", { name: "Wire" });
    const rows = wire.getByRole("listitem");
    expect(await rows.last().textContent()).toContain("[DONE]");
    expect(await rows.last().locator(".wire-time").textContent()).toMatch(/^[\d.]+ m?s$/);
    expect(await rows.last().locator(".wire-gap").textContent()).toMatch(/^\+[\d.]+ m?s$/);
    expect(await wire.textContent()).toMatch(/First token[\d.]+ m?sTokens per second(–|[\d,]+)Events\d+/);
    await wire.getByRole("button", { name: "Copy as curl" }).click();
    await eventually(copied).toMatch(/^curl -N 'http:.*\/agent'/);
    const { stdout } = await promisify(execFile)("sh", ["-c", await copied()]);
    expect(stdout).toMatch(/^data: {"type":"tool_call_start".*data: \[DONE\]\s*$/s);
    const request = wire.getByRole("region", { name: "Request" });
    await request.getByRole("button", { name: /^POST \/agent/ }).click();
    expect(await request.locator("pre").textContent()).toContain('"content": "Top 3 launches of last week"');

    const words = rows.filter({ hasText: "text_message_chunk" });
    expect(await words.count()).toBe(1);
    const grouped = await rows.count();
    await wire.getByLabel("Group deltas").uncheck();
    await eventually(() => rows.count()).toBeGreaterThan(grouped + 5);
    await wire.getByLabel("Filter events").fill("top_timeframe tool_call_result");
    await wire.getByText("No event has these words.").waitFor();
    await wire.getByLabel("Filter events").fill("tool_call_result");
    await eventually(() => rows.count()).toBe(1);
    await rows.getByRole("button", { name: /^tool_call_result/ }).click();
    await rows.getByRole("button", { name: "Copy tool_call_result" }).click();
    await eventually(async () => JSON.parse(await copied()).type).toBe("tool_call_result");

    const download = page.waitForEvent("download");
    await wire.getByRole("button", { name: "Export as NDJSON" }).click();
    const lines = (await readFile(await (await download).path(), "utf8")).trimEnd().split("\n");
    expect(JSON.parse(lines[0] ?? "").body.messages).toHaveLength(1);
    expect(JSON.parse(lines.at(-1) ?? "").data).toBe("[DONE]");
  });

  test("to Listing uses the browser's time zone", async ({ open }) => {
    const page = await open({ timezoneId: "Asia/Tokyo" });
    await view(page, "Listing");
    await ask(page, "Top launches of last week");
    await answered(page);
    expect(await conversation(page).textContent()).toContain("(Asia/Tokyo)");
  });

  test("leaves the wire panel closed in a narrow window, until it is opened", async ({ visit }) => {
    const page = await visit({ at: "#/relay", viewport: { width: 1024, height: 768 } });
    await page.getByLabel("Message").waitFor();
    expect(await page.getByRole("region", { name: "Wire" }).count()).toBe(0);
    await page.getByRole("button", { name: "Wire" }).click();
    await page.getByRole("region", { name: "Wire" }).waitFor();
  });

  test("is celebrated with confetti, unless the user prefers reduced motion", async ({ visit }) => {
    const page = await visit();
    await view(page, "Listing");
    await ask(page, "We did it! Fire the confetti");
    await page.locator("canvas.confetti").waitFor({ state: "attached" });
    await answered(page);
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.reload();
    await ask(page, "Confetti again please");
    await eventually(() => page.getByText(/particles/).count()).toBe(2);
    await answered(page);
    expect(await page.locator("canvas.confetti").count()).toBe(0);
  });

  test.for([
    ["Express", "AG-UI 1.0", "ag-ui"],
    ["Nest", "Plain", "contract"],
  ] as const)(
    "to the relay's %s implementation, in %s events, may call tools and receives their results",
    async ([name, events, profile], { chat, stack }) => {
      const page = await chat("relay");
      await page.getByRole("radio", { name }).check();
      await page.getByRole("radio", { name: events }).check();
      await page.getByRole("button", { name: "Tools" }).click();
      await page.getByLabel("Tools as JSON").fill("[{]");
      await page.getByText("This is not JSON").waitFor();
      await page.getByRole("button", { name: "Insert a sample" }).click();
      await page.getByRole("button", { name: "Use these tools" }).click();
      const port = name === "Nest" ? stack.ports.RELAY_NEST_PORT : stack.ports.RELAY_PORT;
      const sent = page.waitForRequest(`http://127.0.0.1:${port}/agent?profile=${profile}`);
      await ask(page, "How is the weather?");
      await sent;
      await page.getByText('"city": "Bern"').waitFor();
      await page.getByLabel("Result of get_weather").fill("Sunny");
      await page.getByRole("button", { name: "Give result" }).click();
      await conversation(page).getByText("It is sunny.").waitFor();
      await answered(page);
      expect(await page.getByRole("region", { name: "Events" }).textContent()).toContain("RUN_FINISHED");
    },
  );

  test("is stopped together with the provider's request, and can be asked again", async ({ chat, provider }) => {
    const page = await chat("relay");
    const before = provider.chatRequests.length;
    await ask(page, "Please hang");
    await conversation(page).getByText("First words").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await conversation(page).getByText("Stopped", { exact: true }).waitFor();
    const [request] = provider.chatRequests.slice(before);
    await request?.closed;
    expect(request?.aborted).toBe(true);
    await page.getByRole("button", { name: "Retry" }).click();
    await conversation(page).getByText("First words").waitFor();
    await page.getByRole("button", { name: "Stop" }).click();
    await conversation(page).getByText("Stopped", { exact: true }).waitFor();
  });

  test("that the provider refuses shows the service's error message, and can be asked again", async ({ chat }) => {
    const page = await chat("relay");
    await ask(page, "Please let me in at once");
    const alert = page.getByRole("alert").filter({ hasText: "The key was refused." });
    await alert.getByRole("link", { name: "See Status" }).click();
    await page.getByRole("heading", { level: 1, name: "Status" }).waitFor();
    await page.goBack();
    await alert.waitFor();
    await page.getByRole("button", { name: "Retry" }).click();
    await conversation(page).getByText("Now it was let in.").waitFor();
    await answered(page);
    expect(await page.getByRole("alert").count()).toBe(0);
  });

  test("is answered in Markdown, in which no script runs and only safe links work", async ({ chat }) => {
    const page = await chat("relay");
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await ask(page, "Be hostile");
    await answered(page);
    const links = page.locator(".answer-text a");
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
      "http://127.0.0.1:9/pixel.png",
      "https://example.com/",
    ]);
    expect(await links.last().getAttribute("rel")).toContain("noopener");
    expect(await page.locator(".answer-text :is(img, script)").count()).toBe(0);
    expect(await page.locator(".answer-text").textContent()).toMatch(/A note\s*$/);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(requested.filter((url) => url.includes("pixel"))).toEqual([]);
    await ask(page, "A table please");
    await page.getByRole("cell", { name: "2" }).waitFor();
    await conversation(page).getByText("let x = 1;").waitFor();
    await conversation(page).getByRole("math").waitFor();
    await conversation(page).getByText("It costs $5 and $10, and x").waitFor();
    const copied = await openClipboard(page);
    await page.getByRole("button", { name: "Copy the code" }).click();
    await eventually(copied).toBe("let x = 1;\n");
  });

  test("is answered without a flash of raw Markdown, and in plain text if the renderer can't be loaded", async ({
    page,
  }) => {
    const { promise, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/MarkdownAnswer*.js", async (route) => {
      await promise;
      await route.continue();
    });
    await view(page, "Relay");
    await ask(page, "A table please");
    await page.getByRole("status").filter({ hasText: "The answer is complete" }).waitFor({ state: "attached" });
    expect(await conversation(page).textContent()).not.toContain("---");
    release();
    await page.getByRole("cell", { name: "2" }).waitFor();

    await page.unrouteAll();
    await page.route("**/MarkdownAnswer*.js", (route) => route.abort());
    await page.reload();
    await conversation(page).getByText("|---|---|").waitFor();
  });

  test("with a long answer scrolls along until the user scrolls up, and is printed completely", async ({ chat }) => {
    const page = await chat("relay");
    await ask(page, "A long one");
    await answered(page);
    await eventually(() => conversation(page).getByText("Line 399.").isVisible()).toBe(true);
    const rest = () =>
      conversation(page).evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
    await eventually(rest).toBeLessThan(4);
    await conversation(page).hover();
    await page.mouse.wheel(0, -2_000);
    await eventually(rest).toBeGreaterThan(1_000);
    await page.getByRole("button", { name: "Latest" }).click();
    await eventually(rest).toBeLessThan(4);
    expect(await hasFocus(conversation(page))).toBe(true);
    await page.emulateMedia({ media: "print" });
    expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeGreaterThan(400 * 20);
    expect(await page.getByLabel("Message").isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
  });

  test("stays in its agent's open conversation in this tab until a new chat is started", async ({ page }) => {
    await view(page, "Relay");
    await ask(page, "Hello relay");
    await answered(page);
    await view(page, "Listing");
    expect(await conversation(page).getByText("Hello relay").count()).toBe(0);
    await ask(page, "Hello listing");
    await answered(page);
    await page.reload();
    await conversation(page).getByText("Hello listing").waitFor();
    await view(page, "Relay");
    await conversation(page).getByText("Hello relay").waitFor();
    const otherTab = await page.context().newPage();
    await otherTab.goto(new URL("#/relay", page.url()).href);
    await otherTab.getByText("Talk to the model").first().waitFor();
    expect(await conversation(otherTab).getByText("Hello relay").count()).toBe(0);
    await newChat(page);
    await page.reload();
    await page.getByRole("button", { name: "Hello! Who are you?" }).waitFor();
  });
});
