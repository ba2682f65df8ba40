import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CommandProcess, freePorts, pdf } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { startBrowser } from "./browser.ts";
import { answered, ask, chip, openPage } from "./page.ts";

const root = new URL("../..", import.meta.url).pathname;
const portVariables = ["RELAY_PORT", "RELAY_NEST_PORT", "KNOWLEDGE_PORT", "LISTING_PORT", "CONSOLE_PORT"];

test("npm start leads, without anything to read, to an answer that cites a document dropped into the page", async ({
  onTestFinished,
}) => {
  const store = await mkdtemp(join(tmpdir(), "console-newcomer-"));
  onTestFinished(() => rm(store, { recursive: true, force: true }));
  const ports = await freePorts(portVariables.length);
  const npm = new CommandProcess("npm", ["start"], {
    cwd: root,
    environment: {
      ...Object.fromEntries(portVariables.map((name, index) => [name, String(ports[index])])),
      KNOWLEDGE_STORE: store,
    },
  });
  onTestFinished(async () => {
    await npm.stop();
  });
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  await npm.printed(/Open (\S+) in a browser/);
  const { page, faults } = await openPage(browser, /Open (\S+)/.exec(npm.output)?.[1] ?? "");

  await page.getByRole("link", { name: "Add documents" }).click();
  const pages = [["The house rules of the mountain hut."], ["Dogs are welcome in the dining room.", "Cats are not."]];
  const content = Buffer.from(pdf(pages, { title: "Hut rules" })).toString("base64");
  await page.getByText("Drop files here").evaluate((element, base64) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(
      new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], "hut-rules.pdf", {
        type: "application/pdf",
      }),
    );
    for (const type of ["dragenter", "dragover", "drop"]) {
      element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, content);
  await page.getByRole("link", { name: "Ask about it" }).click();
  await ask(page, "Are dogs welcome in the dining room?");
  await answered(page);
  await chip(page).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator("mark").filter({ hasText: "Dogs are welcome in the dining room." }).waitFor();
  expect(await dialog.textContent()).toMatch(/page 2.*file:hut-rules\.pdf/);

  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Status" }).click();
  await page.getByRole("heading", { name: "The offline provider answers" }).waitFor();
  expect(faults).toEqual([]);
}, 120_000);
