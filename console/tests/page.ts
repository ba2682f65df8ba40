import type { Browser, BrowserContextOptions, Page } from "playwright-core";

/** How long a test waits for what must come, in milliseconds. */
export const patienceMs = 10_000;

/** A page in a tab of its own. What it logs as an error or refuses by its policy is kept in `faults`. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: string[]; close: () => Promise<void> }> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(patienceMs);
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && !/Failed to load resource/.test(message.text())) faults.push(message.text());
  });
  await page.goto(url);
  return { page, faults, close: () => context.close() };
}

/** Writes a message and sends it with Enter. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByLabel("Message").press("Enter");
}

/** Resolves when the last answer is whole. */
export async function answered(page: Page): Promise<void> {
  await page.getByRole("status").filter({ hasText: "The answer is complete" }).waitFor({ state: "attached" });
}

/** Chooses a namespace by typing its name. */
export async function useNamespace(page: Page, namespace: string): Promise<void> {
  await page.getByLabel("Namespace").fill(namespace);
  await page.getByLabel("Namespace").press("Enter");
}
