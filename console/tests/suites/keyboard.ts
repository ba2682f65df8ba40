import { expect } from "vitest";
import { addText, answered, ask, chooseNamespace, view } from "../page.ts";
import { storeFiles } from "../stack.ts";
import { test } from "../stage.ts";

test("everything works by keyboard: skip to the content, select a namespace, ask, open and close a citation", async ({
  visit,
  stack,
}) => {
  await storeFiles(stack, "keys", [["refunds.txt", "Refunds are paid within 5 working days."]]);
  const page = await visit({ at: "#/library" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: element } = document;
      return element?.getAttribute("aria-label") ?? element?.id ?? "";
    });
  const tabTo = async (is: () => Promise<boolean>) => {
    for (let presses = 0; presses < 200; presses++) {
      if (await is()) return;
      await page.keyboard.press("Tab");
    }
    throw new Error("The Tab key does not lead there");
  };
  const textOfFocus = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? "");

  await page.keyboard.press("Tab");
  expect(await textOfFocus()).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
  await page.reload();
  await page.getByRole("heading", { level: 1 }).waitFor();
  await tabTo(async () => (await textOfFocus()) === "Knowledge");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { level: 1, name: "Knowledge" }).waitFor();
  await tabTo(async () => (await focused()) === "Namespace");
  await page.keyboard.press("ArrowDown");
  await page.getByRole("option", { name: /^keys/ }).waitFor();
  const chosen = () => page.getByRole("option", { name: /^keys/ }).getAttribute("aria-selected");
  while ((await chosen()) !== "true") await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await tabTo(async () => (await focused()) === "Message");
  await page.keyboard.type("When are");
  await page.keyboard.press("Shift+Enter");
  await page.keyboard.type("refunds paid?");
  await page.keyboard.press("Enter");
  await answered(page);
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Shift+Tab");
  await tabTo(async () => (await textOfFocus()) === "1");
  await page.keyboard.press("Enter");
  await page.getByRole("dialog", { name: "refunds.txt" }).locator("mark").waitFor();
  expect(await page.evaluate(() => document.activeElement?.closest("dialog") !== null)).toBe(true);
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  expect(await textOfFocus()).toBe("1");
});

test("the namespace box shows the names that match what is typed, and the one that would be new", async ({ chat }) => {
  const page = await chat("relay");
  await view(page, "Library");
  await chooseNamespace(page, "zephyr");
  await addText(page, "The west wind.", "Wind");
  await page.getByRole("link", { name: "Ask about it" }).waitFor();
  const box = page.getByRole("combobox", { name: "Namespace" });
  await chooseNamespace(page, "default");
  await box.click();
  await page.keyboard.type("zeph");
  await page.getByRole("option", { name: "zeph new" }).waitFor();
  expect(await page.getByRole("option").allTextContents()).toEqual(["zephyr1 document", "zephnew"]);
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  expect(await box.inputValue()).toBe("zephyr");
});

test("questions and answers from right to left begin on the right", async ({ chat }) => {
  const page = await chat("relay");
  expect(await page.getByLabel("Message").evaluate((field) => getComputedStyle(field).unicodeBidi)).toBe("plaintext");
  await ask(page, "ما هي ساعات العمل؟");
  await answered(page);
  const readDirection = (selector: string) =>
    page
      .locator(selector)
      .last()
      .evaluate((element) => getComputedStyle(element).direction);
  expect(await readDirection(".message-user > div")).toBe("rtl");
  expect(await readDirection(".answer-text")).toBe("ltr");
});
