import { answer } from "@agent-backends/testing";
import { describe, expect } from "vitest";
import { addText, answered, ask, chip, chooseNamespace, view } from "../page.ts";
import { eventually, test } from "../stage.ts";

const file = (name: string, content: string) => ({ name, mimeType: "text/plain", buffer: Buffer.from(content) });

describe("the library", () => {
  test("takes files in, and tells how each comes on and what became of it", async ({ page, provider }) => {
    await view(page, "Library");
    await chooseNamespace(page, "own");
    const text =
      "# Opening hours\n\nThe shop in Zürich opens at nine.\n\n# Refunds\n\nRefunds are paid within 5 working days.";
    const { promise, resolve: release } = Promise.withResolvers<void>();
    provider.scriptEmbeddings(answer.embeddingsAfter(promise));
    const uploads = page.getByRole("region", { name: "Uploads" });
    const upload = (name: string) => uploads.getByRole("listitem").filter({ hasText: name });
    await page.getByLabel("Choose files").setInputFiles([file("hours.md", text)]);
    await uploads.getByRole("progressbar", { name: "Embedding: hours.md" }).waitFor();
    release();
    await upload("hours.md").getByText("Saved").waitFor();
    await page
      .getByLabel("Choose files")
      .setInputFiles([file("copy.md", text), file("broken.pdf", "%PDF-1.7 nothing")]);
    await uploads.getByText("3 of 3 done").waitFor();
    await upload("copy.md").getByText("The namespace holds the same content already.").waitFor();
    await upload("copy.md").getByText("Skipped").waitFor();
    await upload("broken.pdf")
      .filter({ hasText: /Error.*damaged/s })
      .waitFor();

    await page
      .getByRole("region", { name: "Documents" })
      .getByRole("button", { name: /^(hours|Opening)/ })
      .click();
    await page.getByRole("dialog").getByText("The shop in Zürich").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Ask about it" }).click();
    await ask(page, "When are refunds paid?");
    await answered(page);
    await chip(page).click();
    await page.getByRole("dialog").locator("mark").filter({ hasText: "Refunds are paid" }).waitFor();
  });

  test("takes in files from the clipboard, and addresses", async ({ page }) => {
    await view(page, "Library");
    await chooseNamespace(page, "clipboard");
    const uploads = page.getByRole("region", { name: "Uploads" });
    await page.getByLabel("Or paste text").evaluate((field) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File(["Bicycles are rented by the hour."], "bicycles.txt", { type: "text/plain" }));
      field.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    });
    await uploads.getByRole("listitem").filter({ hasText: "bicycles.txt" }).getByText("Saved").waitFor();
    await page.getByLabel("Or paste text").fill("http://127.0.0.1:9/a\nhttp://127.0.0.1:9/b");
    await page.getByRole("button", { name: "Add 2 addresses" }).click();
    await uploads.getByText("3 of 3 done").waitFor();
    await eventually(() => uploads.getByText("Error", { exact: true }).count()).toBe(2);
  });

  test("finds a text by a search with scores and marked words", async ({ page }) => {
    await view(page, "Library");
    await chooseNamespace(page, "found");
    await addText(page, "Parking is free behind the shop.", "Parking");
    await page
      .getByRole("region", { name: "Documents" })
      .getByRole("button", { name: /^Parking/ })
      .waitFor();
    await page.getByLabel("Search the library").fill("Where is free parking?");
    await page.getByLabel("Search the library").press("Enter");
    const hit = page.getByRole("list", { name: "Hits" }).getByRole("listitem").first();
    await eventually(() => hit.locator("mark").allTextContents()).toEqual(["Parking", "free"]);
    expect(await hit.textContent()).toMatch(/[01]\.\d\d/);
    await hit.getByRole("button", { name: "Parking" }).click();
    await page.getByRole("dialog", { name: "Parking" }).locator("mark").waitFor();
  });

  test("deletes a document, brings it back, and deletes it for good when the page is left", async ({ page, stack }) => {
    const url = `http://127.0.0.1:${stack.ports.KNOWLEDGE_PORT}/api/namespaces/deleted/documents`;
    const stored = async () => ((await (await fetch(url)).json()) as { documents: unknown[] }).documents.length;
    await view(page, "Library");
    await chooseNamespace(page, "deleted");
    await addText(page, "Parking is free behind the shop.", "Parking");
    const documents = page.getByRole("region", { name: "Documents" });
    await documents.getByRole("button", { name: "Delete Parking" }).click();
    await documents.getByText("Nothing is in").waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await documents.getByRole("button", { name: /^Parking/ }).waitFor();
    expect(await stored()).toBe(1);
    await documents.getByRole("button", { name: "Delete Parking" }).click();
    await view(page, "Status");
    await eventually(stored).toBe(0);
    await view(page, "Library");
    await chooseNamespace(page, "deleted");
    await documents.getByText("Nothing is in").waitFor();
  });
});
