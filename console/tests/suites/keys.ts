import { createHash } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { serviceMains, startService } from "@agent-backends/testing";
import type { Page } from "playwright-core";
import { expect } from "vitest";
import { addText, answered, ask, chip, chooseNamespace, newChat, storedDocument, view } from "../page.ts";
import { test } from "../stage.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const entry = (name: string, more: object) => ({
  name,
  sha256: createHash("sha256").update(`key-of-${name}`).digest("hex"),
  namespaces: ["mine"],
  ...more,
});

const alert = (page: Page, text: string | RegExp) =>
  page.getByRole("alert").filter({ hasText: text }).first().waitFor();

const badge = (page: Page, text: string) =>
  page.getByRole("article", { name: "Knowledge" }).getByText(text, { exact: true }).waitFor();

async function useKey(page: Page, key: string): Promise<void> {
  await view(page, "Status");
  await page.getByRole("button", { name: "Change address of Knowledge" }).click();
  await page.getByLabel("Key, if the service asks").fill(key);
  await page.getByRole("button", { name: "Use this address" }).click();
  await page.getByRole("dialog").waitFor({ state: "hidden" });
}

test("a service that requires keys works with a key from end to end, and explains what a key does not allow", async ({
  visit,
  tab,
  stack,
  provider,
  onTestFinished,
}) => {
  const folder = await mkdtemp(join(tmpdir(), "console-keys-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const file = join(folder, "keys.json");
  await writeFile(
    file,
    JSON.stringify({ keys: [entry("writer", {}), entry("reader", {}), entry("hasty", { rate: 1 })] }),
  );
  const service = await startService(root + serviceMains.knowledge, {
    AUTH_KEYS_FILE: file,
    KNOWLEDGE_STORE: join(folder, "store"),
    LLM_BASE_URL: provider.baseUrl,
  });
  onTestFinished(() => service.end().then(() => undefined));

  const listing = `http://127.0.0.1:${stack.ports.LISTING_PORT}`;
  await tab.page.route("**/console.json", (route) =>
    route.fulfill({ json: { addresses: { knowledge: service.baseUrl, listing } } }),
  );
  const page = await visit();
  await alert(page, "This service asks for a key.");
  await page.getByRole("link", { name: "See Status" }).click();
  await badge(page, "Key needed");
  await useKey(page, "key-of-nobody");
  await badge(page, "Key refused");
  await view(page, "Knowledge");
  await ask(page, "When are refunds paid?");
  await alert(page, "Check it in Status");

  await useKey(page, "key-of-writer");
  await badge(page, "Ready");
  await page.getByRole("article", { name: "Listing" }).getByText("with a key").waitFor();
  expect(await page.getByText("with a key").count()).toBe(2);
  await page
    .getByRole("listitem")
    .filter({ hasText: service.baseUrl })
    .getByText("Requests without a key are refused.")
    .waitFor({ state: "attached" });
  await view(page, "Library");
  await alert(page, `This key isn't allowed to use the namespace "default"`);
  await chooseNamespace(page, "mine");
  await addText(page, "Refunds are paid within 5 working days.", "Refunds");
  await page.getByRole("link", { name: "Ask about it" }).click();
  await newChat(page);
  await ask(page, "When are refunds paid?");
  await answered(page);
  await chip(page).click();
  await page.getByRole("dialog", { name: "Refunds" }).locator("mark").waitFor();
  await page.keyboard.press("Escape");

  await view(page, "Library");
  await chooseNamespace(page, "default");
  await alert(page, `This key isn't allowed to use the namespace "default"`);
  await useKey(page, "key-of-reader");
  await view(page, "Library");
  await storedDocument(page, "Refunds").waitFor();

  await useKey(page, "key-of-hasty");
  await view(page, "Knowledge");
  await ask(page, "And now?");
  await alert(page, /; wait \d+ s\./);
});
