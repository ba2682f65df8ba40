import { answer } from "@agent-backends/testing";
import { expect } from "vitest";
import { pasteFile } from "../gestures.ts";
import { answered, ask, chip, chooseNamespace, conversation, textFile } from "../page.ts";
import { eventually, test } from "../stage.ts";

test("a file attached in an empty chat leads to an example question about it", async ({ page }) => {
  await chooseNamespace(page, "attached first");
  await page.getByRole("heading", { name: "Add a document, then ask about it" }).waitFor();
  await page.getByLabel("Attach files").setInputFiles([textFile("parking.txt", "Parking is free behind the shop.")]);
  await page.getByRole("button", { name: "What does “parking.txt” say?" }).waitFor();
  expect(await page.getByRole("heading", { name: "Ask your documents" }).count()).toBe(1);
  expect(await page.getByRole("button", { name: "Try a sample document" }).count()).toBe(0);
});

test("a file dropped where none can be added is not opened by the browser", async ({ page }) => {
  const leaves = await page.getByRole("navigation", { name: "Views" }).evaluate((element) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["Text"], "stray.txt"));
    const events = ["dragover", "drop"].map(
      (type) => new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }),
    );
    return events.some((event) => element.dispatchEvent(event));
  });
  expect(leaves).toBe(false);
});

test("an attached file is stored in the chat's namespace before the question is sent; if that fails, the question is held", async ({
  page,
  provider,
}) => {
  await chooseNamespace(page, "attached");
  const { promise, resolve: release } = Promise.withResolvers<void>();
  provider.scriptEmbeddings(answer.embeddingsAfter(promise));
  await page.getByRole("heading", { name: "Add a document, then ask about it" }).waitFor();
  await page
    .getByLabel("Attach files")
    .setInputFiles([textFile("refunds.txt", "Refunds are paid within 5 working days.")]);
  const files = page.getByRole("region", { name: "Attached files" });
  await files.getByRole("progressbar", { name: "Embedding: refunds.txt" }).waitFor();
  await page.getByRole("heading", { name: "Ask your documents" }).waitFor();
  await ask(page, "When are refunds paid?");
  await page.getByRole("list", { name: "Waiting" }).getByText("When are refunds paid?").waitFor();
  expect(await conversation(page).locator(".message-user").count()).toBe(0);
  release();
  await answered(page);
  await conversation(page).getByRole("list", { name: "Attached files" }).getByText("refunds.txt").waitFor();
  expect(await files.count()).toBe(0);
  await chip(page).click();
  await page.getByRole("dialog").locator("mark").filter({ hasText: "Refunds are paid" }).first().waitFor();
  await page.keyboard.press("Escape");

  const { promise: sent, resolve: send } = Promise.withResolvers<void>();
  await page.route("**/api/tools/ingest*", async (route) => {
    await sent;
    await route.continue();
  });
  await pasteFile(page.getByLabel("Message"), "broken.pdf", "application/pdf", "%PDF-1.7 nothing");
  await ask(page, "And what is in the other file?");
  send();
  await files.getByText("Error").waitFor();
  await page.getByText("Not sent").waitFor();
  const questions = () => conversation(page).locator(".message-user").count();
  expect(await questions()).toBe(1);
  await page.getByRole("button", { name: "Send now" }).click();
  await eventually(questions).toBe(2);
  await answered(page);
});
