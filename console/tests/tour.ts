import type { Page } from "playwright-core";
import { addText, answered, ask, chip, chooseNamespace, conversation, newChat, view, viewTitles } from "./page.ts";

/** Walks through all views and their states, and calls `look` in each. */
export async function tour(page: Page, look: (name: string) => Promise<void>): Promise<void> {
  const closeDialog = async () => {
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "hidden" });
  };
  await page.getByRole("heading", { name: "Add a document, then ask about it" }).waitFor();
  await look("knowledge");
  await page.getByRole("button", { name: "Try a sample document" }).click();
  await answered(page);
  await page.getByRole("group").locator("summary").click();
  await look("knowledge, answered");
  await chip(page).click();
  await page.getByRole("dialog").locator("mark").waitFor();
  await look("knowledge, chunk");
  await closeDialog();

  await page.locator(".message-user").hover();
  await page.getByRole("button", { name: "Edit the question" }).click();
  await look("knowledge, edited");
  await page.getByRole("button", { name: "Ask again" }).click();
  await page.getByText("2 messages were replaced.").waitFor();
  await answered(page);
  await page.getByLabel("Attach files").setInputFiles({
    ...{ name: "broken.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF-1.7 nothing") },
  });
  await page.getByRole("region", { name: "Attached files" }).getByText("Error").waitFor();
  await look("knowledge, attached");
  await page.getByRole("button", { name: "Hide what is done" }).click();
  const chatsButton = page.getByRole("button", { name: "Chats", exact: true });
  const isNarrow = await chatsButton.isVisible();
  if (isNarrow) await chatsButton.click();
  await page.locator(".conversation-row:visible").first().hover();
  await page.locator(".conversation-row:visible").first().getByRole("button").click();
  await look("knowledge, chats");
  await page.getByRole("menuitem", { name: "Rename" }).click();
  await page.getByRole("dialog", { name: "Rename chat" }).waitFor();
  await look("knowledge, rename");
  await page.keyboard.press("Escape");
  if (isNarrow) await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });

  await view(page, "Listing");
  await look("listing");
  await page.getByRole("button", { name: "Top launches of last week" }).click();
  await answered(page);
  await page.getByRole("group").locator("summary").click();
  const wireButton = page.getByRole("button", { name: "Wire", exact: true });
  if ((await wireButton.getAttribute("aria-expanded")) === "false") await wireButton.click();
  await page.getByRole("button", { name: /^POST/ }).click();
  await look("listing, answered");

  await view(page, "Relay");
  await look("relay");
  await page.getByRole("button", { name: "Tools" }).click();
  await page.getByRole("button", { name: "Insert a sample" }).click();
  await look("relay, tools");
  await page.getByRole("button", { name: "Use these tools" }).click();
  await ask(page, "How is the weather?");
  await page.getByLabel("Result of get_weather").waitFor();
  await look("relay, tool call");
  await newChat(page);
  await ask(page, "Please refuse");
  await page.getByRole("alert").waitFor();
  await look("relay, refused");
  await newChat(page);
  await ask(page, "Please hang");
  await conversation(page).getByText("First words").waitFor();
  await ask(page, "And then?");
  await page.getByRole("list", { name: "Waiting" }).waitFor();
  await look("relay, mid-stream");
  await page.getByRole("button", { name: "Stop" }).click();

  await view(page, "Library");
  await chooseNamespace(page, "toured".padEnd(128, "x"));
  await page.getByText("Nothing is in “toured").waitFor();
  await look("library");
  await addText(page, "Parking is free behind the shop.", "Parking");
  await page.getByRole("button", { name: /^Parking/ }).waitFor();
  await addText(page, "Parking is free behind the shop.", "Parking");
  await page.getByText("Skipped", { exact: true }).waitFor();
  await page.getByLabel("Search the library").fill("parking");
  await page.getByLabel("Search the library").press("Enter");
  await page.getByRole("list", { name: "Hits" }).waitFor();
  await page.getByRole("combobox", { name: "Namespace" }).click();
  await look("library, filled");
  await page.getByRole("combobox", { name: "Namespace" }).press("Escape");
  await page.getByRole("button", { name: "Create or delete namespaces" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Delete toured" }).click();
  await look("library, namespaces");
  await closeDialog();
  const documents = page.getByRole("region", { name: "Documents" });
  await documents.getByRole("button", { name: /^Parking/ }).click();
  await page.getByRole("dialog", { name: "Parking" }).getByText("behind the shop").waitFor();
  await look("library, document");
  await closeDialog();
  await documents.getByRole("button", { name: "Delete Parking" }).click();
  await page.getByRole("button", { name: "Undo" }).waitFor();
  await look("library, deleted");
  await page.getByRole("button", { name: "Undo" }).click();
  await documents.getByRole("button", { name: "Delete Parking" }).click();

  await view(page, "Status");
  await page.getByText("Ready", { exact: true }).nth(2).waitFor();
  await page.locator("details").evaluateAll((all) => {
    for (const details of all) (details as HTMLDetailsElement).open = true;
  });
  await look("status");
  await page.getByRole("button", { name: "Change address of Listing" }).click();
  await page.getByRole("dialog").waitFor();
  await page.getByLabel("Base URL").fill("nowhere");
  await look("status, address");
  await page.getByLabel("Base URL").fill("http://127.0.0.1:9");
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.getByRole("article", { name: "Listing" }).getByText("Down").waitFor();
  await look("status, down");

  const toured = ["Knowledge", "Listing", "Relay", "Library", "Status"];
  for (const title of (await viewTitles(page)).filter((title) => !toured.includes(title))) {
    await view(page, title);
    await look(title.toLowerCase());
  }
}
