import { answer } from "@agent-backends/testing";
import { expect } from "vitest";
import { pasteFile } from "../gestures.ts";
import { answered, ask, chip, chooseNamespace, conversation, textFile, view } from "../page.ts";
import { eventually, test } from "../stage.ts";

test("a file attached in an empty chat leads to an example question about it", async ({ page }) => {
  await chooseNamespace(page, "attached first");
  await page.getByRole("heading", { name: "Add a document, then ask about it" }).waitFor();
  await page.getByLabel("Attach files").setInputFiles([textFile("parking.txt", "Parking is free behind the shop.")]);
  await page.getByRole("button", { name: "What does “parking.txt” say?" }).waitFor();
  expect(await page.getByRole("heading", { name: "Ask your documents" }).count()).toBe(1);
  expect(await page.getByRole("button", { name: "Try a sample document" }).count()).toBe(0);
});

test("an image pasted into the relay's chat reaches the model; other files, and files for the listing, are refused", async ({
  chat,
  provider,
}) => {
  const page = await chat("relay");
  const message = page.getByLabel("Message");
  const attached = page.getByRole("list", { name: "Attached images" });
  await pasteFile(message, "notes.pdf", "application/pdf", "%PDF-1.7");
  await page.getByText("“notes.pdf” was not attached: this agent takes only PNG, JPEG, WebP and GIF images.").waitFor();
  await pasteFile(message, "sky.png", "image/png", "pixels");
  await pasteFile(message, "sea.png", "image/png", "waves");
  await attached.getByRole("button", { name: "Remove sea.png" }).click();
  expect(await page.getByText("was not attached").count()).toBe(0);
  await pasteFile(message, "large.png", "image/png", "x".repeat(9_000_000));
  await page.getByText("the limit is 10.5 MB. Attach smaller images, or start a new chat.").waitFor();
  expect(await attached.getByRole("listitem").count()).toBe(1);
  await ask(page, "What is on it?");
  await answered(page);
  const image = { type: "image_url", image_url: { url: `data:image/png;base64,${btoa("pixels")}` } };
  const sent = () => provider.chatRequests.at(-1)?.body.messages;
  expect(sent()).toMatchObject([{ content: [{ type: "text", text: "What is on it?" }, image] }]);
  expect(await attached.count()).toBe(0);
  expect(await page.getByText("Attach smaller images").count()).toBe(0);
  await conversation(page).getByRole("img", { name: "sky.png" }).waitFor();
  await conversation(page).getByText("What is on it?").hover();
  await page.getByRole("button", { name: "Edit the question" }).click();
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByText("2 messages were replaced.").waitFor();
  await answered(page);
  expect(sent()).toMatchObject([{ content: [{ type: "text" }, image] }]);

  await view(page, "Listing");
  await pasteFile(message, "sky.png", "image/png", "pixels");
  await page.getByText("“sky.png” was not attached: this agent takes no files.").waitFor();
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
