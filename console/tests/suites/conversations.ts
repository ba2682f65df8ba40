import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { serviceMains, startService } from "@agent-backends/testing";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { hasFocus } from "../gestures.ts";
import { addText, answered, ask, chooseNamespace, conversation, newChat, view } from "../page.ts";
import { eventually, test } from "../stage.ts";

const list = (page: Page) => page.getByRole("region", { name: "Chats" });
const row = (page: Page, title: string) => list(page).getByRole("listitem").filter({ hasText: title });
const readId = (page: Page) => new URL(page.url()).hash.split("/")[2];

async function choose(page: Page, title: string, action: string): Promise<void> {
  await row(page, title).hover();
  await row(page, title)
    .getByRole("button", { name: `Actions for ${title}` })
    .click();
  await page.getByRole("menuitem", { name: action }).click();
}

async function hold(page: Page, question: string): Promise<void> {
  await ask(page, question);
  await answered(page);
}

describe("conversations", () => {
  test("are listed by their first question, found by their words, and reopened by their address", async ({ page }) => {
    await view(page, "Relay");
    await hold(page, "Apples or pears?");
    const first = readId(page);
    await newChat(page);
    await hold(page, "Trains to Bern");
    expect(readId(page)).not.toBe(first);
    expect(await list(page).getByRole("listitem").count()).toBe(2);

    await page.getByLabel("Search chats").fill("pears APPLES");
    await eventually(() => list(page).getByRole("listitem").count()).toBe(1);
    await list(page).getByRole("status").getByText("1 chat found", { exact: true }).waitFor({ state: "attached" });
    await row(page, "Apples or pears?").getByRole("link").click();
    await conversation(page).getByText("Apples or pears?").waitFor();
    expect(readId(page)).toBe(first);
    await page.goBack();
    await conversation(page).getByText("Trains to Bern").waitFor();
    await page.goForward();
    await conversation(page).getByText("Apples or pears?").waitFor();
    await page.reload();
    await conversation(page).getByText("Apples or pears?").waitFor();
    await view(page, "Status");
    await view(page, "Relay");
    expect(readId(page)).toBe(first);
    await page.getByLabel("Search chats").fill("nowhere");
    await list(page).getByText("No chat has these words.").waitFor();
  });

  test("are renamed, exported, deleted and restored", async ({ page }) => {
    await view(page, "Relay");
    await hold(page, "A table please");
    await choose(page, "A table please", "Rename");
    await page.getByRole("dialog", { name: "Rename chat" }).waitFor();
    await page.keyboard.type("My table");
    await page.keyboard.press("Enter");
    await row(page, "My table").waitFor();

    const exported = async (format: string) => {
      const download = page.waitForEvent("download");
      await choose(page, "My table", `Export as ${format}`);
      const file = await download;
      return { name: file.suggestedFilename(), text: await readFile(await file.path(), "utf8") };
    };
    const markdown = await exported("Markdown");
    expect(markdown.name).toBe("My-table.md");
    expect(markdown.text).toMatch(/^# My table\n.*## Question\n\nA table please\n\n## Answer\n\n\| a \| b \|/s);
    const json = await exported("JSON");
    expect(JSON.parse(json.text)).toMatchObject({
      ...{ agent: "relay", title: "My table", messages: [{ text: "A table please" }, { state: "done" }] },
    });

    const id = readId(page);
    const address = page.url();
    await choose(page, "My table", "Delete");
    await page.getByRole("heading", { name: "Talk to the model" }).waitFor();
    await row(page, "My table").waitFor({ state: "detached" });
    await eventually(() => hasFocus(list(page).getByRole("link", { name: "New chat" }))).toBe(true);
    await page.goto(address);
    await page.getByRole("heading", { name: "This chat isn't here" }).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await conversation(page).getByText("A table please").waitFor();
    expect(readId(page)).toBe(id);
    await choose(page, "My table", "Delete");
    await page.getByRole("heading", { name: "Talk to the model" }).waitFor();
    await page.goto(`${page.url().split("#")[0]}#/relay/${id}`);
    await page.getByRole("heading", { name: "This chat isn't here" }).waitFor();
    await page.reload();
    await page.getByRole("heading", { name: "This chat isn't here" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "New chat" }).click();
    await page.getByRole("heading", { name: "Talk to the model" }).waitFor();
  });

  test("are the same in two tabs, and neither tab overwrites the other's answers", async ({ page, provider }) => {
    await view(page, "Relay");
    await hold(page, "Hello first");
    const other = await page.context().newPage();
    await other.goto(page.url());
    await conversation(other).getByText("Hello first").waitFor();

    await ask(page, "wait for me");
    await conversation(page).getByText("First half,").waitFor();
    await ask(other, "Hello from the other tab");
    provider.release();
    await answered(page);
    const all = ["You: Hello first", "You: wait for me", "You: Hello from the other tab"];
    await eventually(() => page.locator(".message-user").allTextContents()).toEqual(all);
    await eventually(() => other.locator(".message-user").allTextContents()).toEqual(all);

    await choose(other, "Hello first", "Delete");
    await page.getByText("This chat was deleted in another tab.").waitFor();
    await conversation(page).getByText("Hello from the other tab").waitFor();
    await page.getByRole("button", { name: "Keep it" }).click();
    await row(other, "Hello first").waitFor();
  });

  test("continue while another one is open, and keep a partial answer when the page is left", async ({
    page,
    provider,
  }) => {
    await view(page, "Relay");
    await ask(page, "wait in the background");
    await conversation(page).getByText("First half,").waitFor();
    const address = page.url();
    await newChat(page);
    await page.getByRole("heading", { name: "Talk to the model" }).waitFor();
    provider.release();
    await page.goto(address);
    await conversation(page).getByText("First half, second half.").waitFor();
    await ask(page, "Please hang");
    await conversation(page).getByText("First words").waitFor();
    await page.reload();
    await conversation(page).getByText("Please hang").waitFor();
    await conversation(page).getByText("Stopped", { exact: true }).waitFor();
  });

  test("with a relay that keeps runs are read on after a reload, and Stop ends the run itself", async ({
    visit,
    provider,
    onTestFinished,
  }) => {
    const relay = await startService(resolve(serviceMains["relay-express"]), {
      LLM_BASE_URL: provider.baseUrl,
      RUNS_URL: "memory:",
      RUN_ORPHAN_MS: "600000",
    });
    onTestFinished(() => relay.end("SIGKILL").then(() => undefined));
    const page = await visit({ at: `?relay=${relay.baseUrl}#/relay` });
    await ask(page, "wait for the other half");
    await conversation(page).getByText("First half,").waitFor();
    // A page that was left lets its conversation go a moment later.
    const left = await page.context().newPage();
    await left.goto(new URL("not-the-console", page.url()).href);
    const name = `conversation ${page.url().split("/").at(-1)}`;
    await left.evaluate(
      `void navigator.locks.request("${name}", () => new Promise((resolve) => setTimeout(resolve, 1_000)))`,
    );
    await page.reload();
    await conversation(page).getByText("First half,").waitFor();
    provider.release();
    await conversation(page).getByText("First half, second half.").waitFor();
    await answered(page);
    await ask(page, "Please hang");
    await conversation(page).getByText("First words").waitFor();
    await page.keyboard.press("Escape");
    await conversation(page).getByText("Stopped", { exact: true }).waitFor();
    await provider.chatRequests.at(-1)?.closed;
  });

  test("belong to one namespace, shown with each answer; another namespace starts another conversation", async ({
    page,
  }) => {
    await view(page, "Library");
    await chooseNamespace(page, "hotel");
    await addText(page, "Refunds are paid within 5 working days.", "Refunds");
    await page.getByRole("link", { name: "Ask about it" }).click();
    await hold(page, "When are refunds paid?");
    await conversation(page).getByText("From “hotel”").waitFor();
    await row(page, "When are refunds paid?").getByText("hotel").waitFor();
    await chooseNamespace(page, "museum");
    await page.getByRole("heading", { name: "Add a document, then ask about it" }).waitFor();
    await hold(page, "When are refunds paid here?");
    await conversation(page).getByText("From “museum”").waitFor();
    expect(await conversation(page).getByText("From “hotel”").count()).toBe(0);
    await page.goBack();
    await conversation(page).getByText("From “hotel”").waitFor();
    expect(await page.getByLabel("Namespace").inputValue()).toBe("hotel");
  });

  test("let a question be edited, and restore what that removed", async ({ page }) => {
    await view(page, "Relay");
    await hold(page, "Hello one");
    await hold(page, "Hello two");
    await conversation(page).getByText("Hello one").hover();
    await page.getByRole("button", { name: "Edit the question" }).first().click();
    await page.getByLabel("Question").fill("Hello three");
    await page.getByRole("button", { name: "Ask again" }).click();
    const questions = () => page.locator(".message-user").allTextContents();
    await eventually(questions).toEqual(["You: Hello three"]);
    await answered(page);
    await row(page, "Hello three").waitFor();
    await page.getByText("4 messages were replaced.").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await eventually(questions).toEqual(["You: Hello one", "You: Hello two"]);
    await page.reload();
    await eventually(questions).toEqual(["You: Hello one", "You: Hello two"]);
  });

  test("stay on the screen with a notice if the browser stores nothing", async ({ open }) => {
    const page = await open({ at: "#/status" });
    await page.addInitScript(() => {
      IDBFactory.prototype.open = () => {
        throw new DOMException("No storage here", "SecurityError");
      };
      for (const name of ["localStorage", "sessionStorage"]) {
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException("No storage here", "SecurityError");
          },
        });
      }
    });
    await page.reload();
    await view(page, "Relay");
    await hold(page, "Hello without storage");
    await page.getByText("This browser doesn't let the page store chats").waitFor();
    await view(page, "Library");
    await view(page, "Relay");
    await conversation(page).getByText("Hello without storage").waitFor();
    await newChat(page);
    await row(page, "Hello without storage").getByRole("link").click();
    await conversation(page).getByText("Hello without storage").waitFor();
  });

  test("show a notice if the browser's storage is full, and lose nothing on the screen", async ({ page }) => {
    await view(page, "Relay");
    await page.evaluate(() => {
      IDBObjectStore.prototype.put = () => {
        throw new DOMException("Full", "QuotaExceededError");
      };
    });
    await hold(page, "Hello, is there room?");
    await page.getByText("The browser's storage is full").waitFor();
    await conversation(page).getByText("Hello, is there room?").waitFor();
  });

  test("are kept up to a stated number, beyond which the oldest is deleted", async ({ visit }) => {
    const page = await visit({ at: "#/relay" });
    await page.getByText("Chats are stored in this browser and listed here.").waitFor();
    await page.evaluate(async () => {
      const request = indexedDB.open("conversations", 1);
      await new Promise((resolve) => {
        request.onsuccess = resolve;
      });
      const transaction = request.result.transaction(["summaries", "messages"], "readwrite");
      for (let index = 0; index < 500; index++) {
        const about = {
          id: `stored-${index}`,
          agent: "relay",
          title: index === 0 ? "The oldest" : "A newer one",
          searchText: "",
        };
        transaction.objectStore("summaries").put({ ...about, createdAt: index, updatedAt: index, revision: "1" });
        transaction.objectStore("messages").put({ id: about.id, messages: [] });
      }
      await new Promise((resolve) => {
        transaction.oncomplete = resolve;
      });
      request.result.close();
    });
    await page.reload();
    await list(page).getByText("The newest 500 chats are kept.").waitFor();
    await row(page, "The oldest").waitFor();
    await hold(page, "Hello at last");
    await eventually(() => list(page).getByRole("listitem").count()).toBe(500);
    await page.getByLabel("Search chats").fill("The oldest");
    await list(page).getByText("No chat has these words.").waitFor();
  });
});
