import type { Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { answered, ask, conversation, newChat } from "../page.ts";
import { eventually, test } from "../stage.ts";

const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
const questions = (page: Page) => page.locator(".message-user").count();
const stop = (page: Page) => page.getByRole("button", { name: "Stop" });
const stopped = (page: Page) => conversation(page).getByText("Stopped", { exact: true }).waitFor();

async function hang(page: Page): Promise<void> {
  await ask(page, "Please hang");
  await conversation(page).getByText("First words").waitFor();
  await page.getByLabel("Message").fill("A draft");
}

describe("a draft", () => {
  test("typed right after New chat was clicked belongs to the new chat", async ({ chat }) => {
    const page = await chat("relay");
    await ask(page, "An old question");
    await answered(page);
    await page.getByRole("link", { name: "New chat" }).evaluate(async (link: HTMLElement) => {
      link.click();
      // Runs after the page's own microtasks, and before any browser event.
      await new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(undefined))));
      const field = document.querySelector(".composer textarea") as HTMLTextAreaElement;
      Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value")?.set?.call(field, "A new question");
      field.dispatchEvent(new Event("input", { bubbles: true }));
      field.form?.requestSubmit();
    });
    await answered(page);
    expect(await page.locator(".message-user").allTextContents()).toEqual(["You: A new question"]);
    await page.goBack();
    await conversation(page).getByText("An old question").waitFor();
    expect(await questions(page)).toBe(1);
  });

  test("is not sent by the Enter that ends a composition in Safari; a question is edited at its end", async ({
    chat,
  }) => {
    const page = await chat("relay");
    const message = page.getByLabel("Message");
    await message.fill("日本");
    await message.dispatchEvent("keydown", { key: "Enter", keyCode: 229 });
    expect(await message.inputValue()).toBe("日本");
    await message.press("Enter");
    await answered(page);
    await conversation(page).getByText("日本").hover();
    await page.getByRole("button", { name: "Edit the question" }).click();
    await page.keyboard.type("語");
    await eventually(() => page.getByRole("textbox", { name: "Question" }).inputValue()).toBe("日本語");
  });

  test("survives a reload in its own conversation, and waiting messages are then held", async ({ chat }) => {
    const page = await chat("relay");
    const message = page.getByLabel("Message");
    await message.fill("A draft of a chat that has not begun");
    await page.reload();
    await eventually(() => message.inputValue()).toBe("A draft of a chat that has not begun");

    await hang(page);
    await message.press("Enter");
    await message.fill("Another draft");
    await page.getByRole("list", { name: "Waiting" }).getByText("A draft").waitFor();
    await page.reload();
    const waiting = page.getByRole("list", { name: "Waiting" }).getByRole("listitem");
    await waiting.filter({ hasText: "A draft" }).getByText("Not sent").waitFor();
    expect(await message.inputValue()).toBe("Another draft");
    expect(await questions(page)).toBe(1);
    await newChat(page);
    expect(await message.inputValue()).toBe("");
    expect(await waiting.count()).toBe(0);
    await page.goBack();
    await waiting.getByRole("button", { name: "Send now" }).click();
    await answered(page);
    expect(await questions(page)).toBe(2);
    await page.reload();
    await eventually(() => message.inputValue()).toBe("Another draft");
    expect(await waiting.count()).toBe(0);
  });
});

describe("a pasted text", () => {
  const paste = (into: Locator, count: number, character: string) =>
    into.evaluate(
      (field, [times, part]) => {
        const clipboardData = new DataTransfer();
        clipboardData.setData("text/plain", part.repeat(times));
        field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
      },
      [count, character] as const,
    );

  test("that is too long to be sent is refused before, with the limit, and the draft stays; a long one is inserted fast", async ({
    chat,
  }) => {
    const page = await chat("relay");
    const message = page.getByLabel("Message");
    await message.fill("A draft");
    for (const [count, character, says] of [
      [8_000_000, "x", "A message may have 8,000,000 characters, and this one has 8,000,007."],
      [4_000_000, "€", "The conversation with this message has 12 MB, and the limit is 10.5 MB."],
    ] as const) {
      await paste(message, count, character);
      await page.getByRole("status").getByText(`Nothing was pasted. ${says}`).waitFor();
      expect(await message.inputValue()).toBe("A draft");
    }
    const insertionMs = await message.evaluate((field: HTMLTextAreaElement) => {
      const startedAt = performance.now();
      field.setRangeText("word ".repeat(400_000));
      const endedAt = performance.now();
      field.value = "A draft";
      return endedAt - startedAt;
    });
    // A tenth of a second, and 8 s if the browser looks for the direction of the text.
    expect(insertionMs).toBeLessThan(4_000);
    await message.press("Enter");
    await answered(page);
    expect(await page.getByText("Nothing was pasted.").count()).toBe(0);
    await conversation(page).getByText("A draft").hover();
    await page.getByRole("button", { name: "Edit the question" }).click();
    const question = page.getByRole("textbox", { name: "Question" });
    await paste(question, 8_000_000, "x");
    await conversation(page).getByText("Nothing was pasted. A message may have 8,000,000 characters").waitFor();
    await question.fill("word ".repeat(30_000));
    await conversation(page).getByText("150,000 of 8,000,000 characters").waitFor();
    await page.getByRole("button", { name: "Cancel" }).click();
    await message.fill("word ".repeat(30_000));
    await page.getByText("150,000 of 8,000,000 characters").waitFor();
  });
});

describe("a question", () => {
  test("asked while another tab gets an answer survives a reload, and can be sent then", async ({ chat }) => {
    const page = await chat("relay");
    await hang(page);
    await eventually(() => page.url()).toMatch(/relay\/.+/);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await conversation(other).getByText("Please hang").waitFor();
    await ask(other, "And from here?");
    await eventually(() => questions(other)).toBe(2);
    await other.reload();
    const waiting = other.getByRole("list", { name: "Waiting" }).getByRole("listitem");
    await waiting.filter({ hasText: "And from here?" }).getByText("Not sent").waitFor();
    expect(await questions(other)).toBe(1);
    await stop(page).click();
    await stopped(page);
    await waiting.getByRole("button", { name: "Send now" }).click();
    await answered(other);
    expect(await questions(other)).toBe(2);
  });

  test("asked while another tab gets an answer is not sent by a Stop in either", async ({ chat }) => {
    const page = await chat("relay");
    await hang(page);
    await eventually(() => page.url()).toMatch(/relay\/.+/);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await conversation(other).getByText("Please hang").waitFor();
    await ask(other, "And from here?");
    await eventually(() => questions(other)).toBe(2);
    const waiting = other.getByRole("list", { name: "Waiting" }).getByRole("listitem");
    const held = waiting.filter({ hasText: "And from here?" }).getByText("Not sent");
    await stop(other).click();
    await held.waitFor();
    expect([await questions(other), await stop(page).count()]).toEqual([1, 1]);
    await waiting.getByRole("button", { name: "Send now" }).click();
    await eventually(() => questions(other)).toBe(2);
    await stop(page).click();
    await stopped(page);
    await held.waitFor();
    expect(await questions(other)).toBe(1);
    await waiting.getByRole("button", { name: "Send now" }).click();
    await answered(other);
    expect(await questions(other)).toBe(2);
  });
});

describe("while an answer is streaming", () => {
  test("a double click on Stop stops it, sends no draft, and leaves the focus in the message", async ({ chat }) => {
    const page = await chat("relay");
    await hang(page);
    await stop(page).dblclick();
    await stopped(page);
    expect(await page.getByLabel("Message").inputValue()).toBe("A draft");
    expect(await questions(page)).toBe(1);
    expect(await focused(page)).toBe("Message");
  });

  test("Escape stops it; when it ends while Stop has the focus, the message gets the focus", async ({
    chat,
    provider,
  }) => {
    const page = await chat("relay");
    await hang(page);
    await conversation(page).focus();
    await page.keyboard.press("Escape");
    await stopped(page);
    expect(await page.getByLabel("Message").inputValue()).toBe("A draft");

    await page.getByLabel("Message").fill("");
    await ask(page, "wait for me");
    await conversation(page).getByText("First half,").waitFor();
    await stop(page).focus();
    provider.release();
    await answered(page);
    await expect.poll(() => focused(page)).toBe("Message");
  });

  test("messages wait visibly, can be edited and removed, and are sent when it ends", async ({ chat, provider }) => {
    const page = await chat("relay");
    await ask(page, "wait for me");
    await conversation(page).getByText("First half,").waitFor();
    await ask(page, "Hello again");
    await ask(page, "Hello to be removed");
    await ask(page, "Hello to be edited");
    const waiting = page.getByRole("list", { name: "Waiting" }).getByRole("listitem");
    expect(await waiting.count()).toBe(3);
    expect(await questions(page)).toBe(1);
    await waiting.nth(1).getByRole("button", { name: "Remove" }).click();
    await waiting.nth(1).getByRole("button", { name: "Edit" }).click();
    expect(await page.getByLabel("Message").inputValue()).toBe("Hello to be edited");
    expect(await focused(page)).toBe("Message");
    provider.release();
    await eventually(() => page.locator(".message-user").allTextContents()).toEqual([
      ...["You: wait for me", "You: Hello again"],
    ]);
    await answered(page);
    expect(await waiting.count()).toBe(0);
  });

  test("messages waiting for a stopped answer are sent only on request", async ({ chat }) => {
    const page = await chat("relay");
    await hang(page);
    await page.getByLabel("Message").press("Enter");
    const waiting = page.getByRole("list", { name: "Waiting" }).getByRole("listitem");
    await waiting.getByText("Waiting").waitFor();
    await stop(page).click();
    await waiting.getByText("Not sent").waitFor();
    expect(await questions(page)).toBe(1);
    await waiting.getByRole("button", { name: "Send now" }).click();
    await answered(page);
    expect(await questions(page)).toBe(2);
  });
});
