import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { answer } from "@agent-backends/testing";
import type { Locator, Page } from "playwright-core";
import { describe, expect, onTestFinished } from "vitest";
import { axeFaults } from "../axe.ts";
import { hasFocus, pasteFile } from "../gestures.ts";
import { addText, answered, ask, chip, chooseNamespace, storedDocument, textFile, view } from "../page.ts";
import { findSmallTargets } from "../small-targets.ts";
import { eventually, test } from "../stage.ts";

/** Creates a folder "huts" with these files. */
async function makeFolder(files: Record<string, string>): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), "console-folder-"));
  onTestFinished(() => rm(parent, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    const whole = join(parent, "huts", path);
    await mkdir(dirname(whole), { recursive: true });
    await writeFile(whole, content);
  }
  return join(parent, "huts");
}

/** Drops a file or folder from the disk onto an element, as a file manager does. */
async function dropFile(page: Page, target: Locator, path: string): Promise<void> {
  const box = await target.boundingBox();
  const at = { x: (box?.x ?? 0) + 5, y: (box?.y ?? 0) + 5 };
  const session = await page.context().newCDPSession(page);
  for (const type of ["dragEnter", "dragOver", "drop"] as const) {
    const data = { items: [], files: [path], dragOperationsMask: 1 };
    await session.send("Input.dispatchDragEvent", { type, ...at, data });
  }
}

describe("the library", () => {
  test("ingests files, with the progress and the outcome of each", async ({ page, provider }) => {
    await view(page, "Library");
    await chooseNamespace(page, "own");
    const text =
      "# Opening hours\n\nThe shop in Zürich opens at nine.\n\n# Refunds\n\nRefunds are paid within 5 working days.";
    const { promise, resolve: release } = Promise.withResolvers<void>();
    provider.scriptEmbeddings(answer.embeddingsAfter(promise));
    const uploads = page.getByRole("region", { name: "Uploads" });
    const upload = (name: string) => uploads.getByRole("listitem").filter({ hasText: name });
    await page.getByLabel("Choose files").setInputFiles([textFile("hours.md", text)]);
    await uploads.getByRole("progressbar", { name: "Embedding: hours.md" }).waitFor();
    release();
    await upload("hours.md").getByText("Saved").waitFor();
    await page
      .getByLabel("Choose files")
      .setInputFiles([textFile("copy.md", text), textFile("broken.pdf", "%PDF-1.7 nothing")]);
    await uploads.getByText("1 of 3 saved, 1 skipped, 1 failed").waitFor();
    await upload("copy.md").getByText("The namespace already contains the same content.").waitFor();
    await upload("copy.md").getByText("Skipped").waitFor();
    await upload("broken.pdf")
      .filter({ hasText: /Error.*16 bytes.*damaged/s })
      .waitFor();

    await storedDocument(page, "(hours|Opening)").click();
    await page.getByRole("dialog").getByText("The shop in Zürich").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("link", { name: "Ask about it" }).click();
    await ask(page, "When are refunds paid?");
    await answered(page);
    await chip(page).click();
    await page.getByRole("dialog").locator("mark").filter({ hasText: "Refunds are paid" }).waitFor();
  });

  test("ingests files from the clipboard, and addresses", async ({ page }) => {
    await view(page, "Library");
    await chooseNamespace(page, "clipboard");
    const uploads = page.getByRole("region", { name: "Uploads" });
    const bicycles = "Bicycles are rented by the hour.";
    await pasteFile(page.getByLabel("Or paste text"), "bicycles.txt", "text/plain", bicycles);
    await uploads.getByRole("listitem").filter({ hasText: "bicycles.txt" }).getByText("Saved").waitFor();
    await page.getByLabel("Or paste text").fill("http://127.0.0.1:9/a\nhttp://127.0.0.1:9/b");
    await page.getByRole("button", { name: "Add 2 addresses" }).click();
    await uploads.getByText("1 of 3 saved, 2 failed").waitFor();
    await eventually(() => uploads.getByText("Error", { exact: true }).count()).toBe(2);
  });

  test("finds a text with scores and marked words, and says if no chunk has the words or nothing matches", async ({
    page,
  }) => {
    await view(page, "Library");
    await chooseNamespace(page, "found");
    const search = async (query: string) => {
      await page.getByLabel("Search the library").fill(query);
      await page.getByLabel("Search the library").press("Enter");
    };
    await search("parking");
    await page.getByText("Nothing in “found” matches “parking”.").waitFor();
    await addText(page, "Parking is free behind the shop.", "Parking");
    await storedDocument(page, "Parking").waitFor();
    await search("xylophone");
    await page.getByText("No chunk has a word of “xylophone”. These are the closest by meaning.").waitFor();
    await page.getByText("A score of 1 means first both by meaning and by words").waitFor();
    await search("Where is free parking?");
    const hit = page.getByRole("list", { name: "Hits" }).getByRole("listitem").first();
    await eventually(() => hit.locator("mark").allTextContents()).toEqual(["Parking", "free"]);
    expect(await hit.textContent()).toMatch(/[01]\.\d\d/);
    await hit.getByRole("button", { name: "Parking" }).click();
    await page.getByRole("dialog", { name: "Parking" }).locator("mark").waitFor();
  });

  test("ingests a dropped folder with paths and without hidden files, so that files of the same name stay apart", async ({
    page,
  }) => {
    await view(page, "Library");
    await chooseNamespace(page, "folders");
    const folder = await makeFolder({
      "guide/README.md": "Bring shoes for the house.",
      "rules/README.md": "Dogs stay in the heated room.",
      ".DS_Store": "of the system",
      ".git/config": "hidden",
    });
    await dropFile(page, page.getByText("Drop files or folders here"), folder);
    await page.getByText("2 hidden or system files left out.").waitFor();
    await page.getByText("2 of 2 saved").waitFor();
    const documents = page.getByRole("region", { name: "Documents" });
    for (const path of ["huts/guide/README.md", "huts/rules/README.md"]) {
      await documents.getByText(path).first().waitFor();
      await page.getByRole("region", { name: "Uploads" }).getByTitle(path, { exact: true }).waitFor();
    }
    const other = await makeFolder({ "prices/README.md": "Guests pay 38 francs." });
    await page.getByLabel("Folder", { exact: true }).setInputFiles(other);
    await documents.getByText("huts/prices/README.md").first().waitFor();
  });

  test("leaves out the files of a folder that have no text, and lists them on demand", async ({ page }) => {
    await view(page, "Library");
    await chooseNamespace(page, "mixed");
    const folder = await makeFolder({
      "rules.md": "Dogs stay in the heated room.",
      "photos/hut.jpg": "a picture",
      "data/unknown.xyz": "\u0000\u0001\u0002\u0000 binary \u0000\u0003",
      "song.mp3": "a song",
    });
    await dropFile(page, page.getByText("Drop files or folders here"), folder);
    const uploads = page.getByRole("region", { name: "Uploads" });
    await uploads.getByText("3 files of unsupported types were left out").click();
    await uploads.getByText("1 of 1 saved").waitFor();
    for (const name of ["huts/photos/hut.jpg", "huts/data/unknown.xyz", "huts/song.mp3"]) {
      expect(await uploads.locator("pre").textContent()).toContain(name);
    }
    expect(await uploads.getByText("Error", { exact: true }).count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(findSmallTargets)).toEqual([]);
    const named = { name: "hut.jpg", mimeType: "image/jpeg", buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 0]) };
    await page.getByLabel("Choose files").setInputFiles([named]);
    await uploads.getByText("Error", { exact: true }).waitFor();
  });

  test("shows how much of a large file is embedded", async ({ page, provider }) => {
    await view(page, "Library");
    await chooseNamespace(page, "progress");
    const lexical = answer.embeddingsAfter(Promise.resolve());
    provider.scriptEmbeddings(({ body }) => (JSON.stringify(body).includes("Line 20000 ") ? answer.hang() : lexical));
    const lines = Array.from({ length: 30_000 }, (_, line) => `Line ${line} says that geese fly.\n`);
    await page.getByLabel("Choose files").setInputFiles([textFile("large.txt", lines.join("\n"))]);
    const upload = page.getByRole("region", { name: "Uploads" }).getByRole("listitem");
    await upload.getByText("Embedding", { exact: true }).waitFor();
    await upload.getByText(/ · [1-9]\d?%$/).waitFor();
    await upload.getByRole("button", { name: "Cancel large.txt" }).click();
    await upload.getByText("Cancelled", { exact: true }).waitFor();
  });

  test("cancels uploads that are waiting, being sent or being processed, and retries them", async ({
    page,
    provider,
    stack,
  }) => {
    const url = `http://127.0.0.1:${stack.ports.KNOWLEDGE_PORT}/api/namespaces/cancelled/documents`;
    const stored = async () => ((await (await fetch(url)).json()) as { documents: unknown[] }).documents.length;
    await view(page, "Library");
    await chooseNamespace(page, "cancelled");
    const { promise, resolve: release } = Promise.withResolvers<void>();
    provider.scriptEmbeddings(answer.embeddingsAfter(promise));
    const { promise: never } = Promise.withResolvers<void>();
    const uploads = page.getByRole("region", { name: "Uploads" });
    await page
      .getByLabel("Choose files")
      .setInputFiles([textFile("running.txt", "Refunds are paid within 5 working days.")]);
    await uploads.getByRole("progressbar", { name: "Embedding: running.txt" }).waitFor();
    await page.route("**/api/tools/ingest*", () => never, { times: 1 });
    const others = ["sent", "waiting", "waiting too"].map((name) => textFile(`${name}.txt`, `The text of ${name}.`));
    await page.getByLabel("Choose files").setInputFiles(others);
    await uploads.getByRole("progressbar", { name: "Sending: sent.txt" }).waitFor();
    const cancelled = uploads.getByText("Cancelled", { exact: true });
    await uploads.getByRole("button", { name: "Cancel waiting.txt" }).click();
    await eventually(() => cancelled.count()).toBe(1);
    await uploads.getByRole("button", { name: "Cancel running.txt" }).click();
    await uploads.getByRole("listitem").filter({ hasText: "running.txt" }).getByText("Cancelled").waitFor();
    release();
    await uploads.getByRole("listitem").filter({ hasText: "waiting too.txt" }).getByText("Saved").waitFor();
    await uploads.getByRole("button", { name: "Cancel sent.txt" }).click();
    await uploads.getByText("1 of 4 saved, 3 cancelled").waitFor();
    await eventually(() => cancelled.count()).toBe(3);
    expect(await stored()).toBe(1);
    await uploads.getByRole("button", { name: "Retry running.txt" }).click();
    await uploads.getByRole("listitem").filter({ hasText: "running.txt" }).getByText("Saved").waitFor();
    expect(await stored()).toBe(2);
  });

  test("retries failed uploads, one or all", async ({ page }) => {
    await view(page, "Library");
    await chooseNamespace(page, "retried");
    let isDown = true;
    await page.route("**/api/tools/ingest*", (route) => (isDown ? route.abort() : route.continue()));
    const files = ["one", "two", "three"].map((name) => textFile(`${name}.txt`, `Text number ${name}.`));
    await page.getByLabel("Choose files").setInputFiles(files);
    const uploads = page.getByRole("region", { name: "Uploads" });
    await uploads.getByText("0 of 3 saved, 3 failed").waitFor();
    isDown = false;
    await uploads.getByRole("button", { name: "Retry two.txt" }).click();
    await uploads.getByRole("listitem").filter({ hasText: "two.txt" }).getByText("Saved").waitFor();
    await uploads.getByText("1 of 3 saved, 2 failed").waitFor();
    await uploads.getByRole("button", { name: "Retry all failed" }).click();
    await eventually(() => uploads.getByText("Saved", { exact: true }).count()).toBe(3);
  });

  test("creates a namespace, and deletes one after its name was typed", async ({ page }) => {
    await view(page, "Library");
    const picker = page.getByRole("combobox", { name: "Namespace" });
    const dialog = page.getByRole("dialog", { name: "Namespaces" });
    const manage = page.getByRole("button", { name: "Create or delete namespaces" });
    await chooseNamespace(page, "..");
    await page.getByRole("alert").filter({ hasText: "The names . and .. can't be used" }).waitFor();
    await manage.click();
    await dialog.waitFor();
    await page.keyboard.insertText("x".repeat(129));
    await page.keyboard.press("Enter");
    await dialog.getByText("The name has more than 128 characters.").waitFor();
    await dialog.getByLabel("New namespace").fill("to be deleted");
    await dialog.getByRole("button", { name: "Create" }).click();
    await eventually(() => picker.inputValue()).toBe("to be deleted");
    await page.reload();
    await eventually(() => picker.inputValue()).toBe("to be deleted");
    await addText(page, "Parking is free behind the shop.", "Parking");
    await storedDocument(page, "Parking").waitFor();

    await manage.click();
    await dialog.getByRole("button", { name: "Delete to be deleted" }).click();
    await dialog.getByText("Deletes 1 document with 1 chunk for everyone who uses “to be deleted”.").waitFor();
    const remove = dialog.getByRole("button", { name: "Delete the namespace" });
    expect(await remove.isDisabled()).toBe(true);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const ask = dialog.getByRole("button", { name: "Delete to be deleted" });
    expect(await hasFocus(ask)).toBe(true);
    await page.keyboard.press("Enter");
    await dialog.getByLabel("to confirm").fill("to be deleted");
    await remove.click();
    await remove.waitFor({ state: "hidden" });
    await ask.waitFor({ state: "hidden" });
    expect(await hasFocus(dialog.getByLabel("New namespace"))).toBe(true);
    await page.keyboard.press("Escape");
    expect(await picker.inputValue()).toBe("default");
  });

  test("deletes documents by keyboard from one to the next, undoes that, and deletes it for good when the view is left", async ({
    page,
    stack,
  }) => {
    const url = `http://127.0.0.1:${stack.ports.KNOWLEDGE_PORT}/api/namespaces/deleted/documents`;
    const stored = async () => ((await (await fetch(url)).json()) as { documents: unknown[] }).documents.length;
    await view(page, "Library");
    await chooseNamespace(page, "deleted");
    await addText(page, "Parking is free behind the shop.", "Parking");
    await addText(page, "The shop opens at 8.", "Opening");
    const documents = page.getByRole("region", { name: "Documents" });
    const deleteParking = documents.getByRole("button", { name: "Delete Parking" });
    await deleteParking.waitFor();
    await documents.getByRole("button", { name: "Delete Opening" }).press("Enter");
    await eventually(() => hasFocus(deleteParking)).toBe(true);
    await page.keyboard.press("Enter");
    await documents.getByText("Nothing is in").waitFor();
    await page.getByRole("button", { name: "Undo" }).last().click();
    await storedDocument(page, "Parking").waitFor();
    await eventually(stored).toBe(1);
    await documents.getByRole("button", { name: "Delete Parking" }).click();
    await view(page, "Status");
    await eventually(stored).toBe(0);
    await view(page, "Library");
    await chooseNamespace(page, "deleted");
    await documents.getByText("Nothing is in").waitFor();
  });
});
