import type { Browser, BrowserContextOptions, Locator, Page } from "playwright-core";

/** Maximum time that a test waits for something, in milliseconds. Long, because CI machines are slow. */
export const patienceMs = 30_000;

export const desktop = { width: 1280, height: 800 };

/** Opens the page in a new browser context. `faults` collects logged errors and violations of the content security policy. */
export async function openPage(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<{ page: Page; faults: string[]; close: () => Promise<void> }> {
  const context = await browser.newContext({ viewport: desktop, ...options });
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

const viewLinks = (page: Page) => page.getByRole("navigation", { name: "Views" }).getByRole("link");

/** All views of the navigation. */
export async function viewTitles(page: Page): Promise<string[]> {
  await viewLinks(page).first().waitFor();
  return viewLinks(page).allTextContents();
}

/** Opens a view with the navigation. */
export async function view(page: Page, name: string): Promise<void> {
  await viewLinks(page).filter({ hasText: name }).click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

export const conversation = (page: Page): Locator => page.getByRole("region", { name: "Conversation" });

/** Starts a new conversation with the current agent. */
export async function newChat(page: Page): Promise<void> {
  await page.getByRole("link", { name: "New chat" }).click();
  await conversation(page).locator(".message").first().waitFor({ state: "detached" });
}

/** The first chip of the first citation. */
export const chip = (page: Page): Locator => page.getByRole("button", { name: "1", exact: true }).first();

/** Writes a message and sends it with Enter. */
export async function ask(page: Page, text: string): Promise<void> {
  await page.getByLabel("Message").fill(text);
  await page.getByLabel("Message").press("Enter");
}

/** Resolves when the last answer is complete. */
export async function answered(page: Page): Promise<void> {
  await page.getByRole("status").filter({ hasText: "The answer is complete" }).waitFor({ state: "attached" });
  await conversation(page).locator(".skeleton").first().waitFor({ state: "detached" });
}

/** Selects a namespace by typing its name. */
export async function chooseNamespace(page: Page, namespace: string): Promise<void> {
  await page.getByLabel("Namespace").fill(namespace);
  await page.getByLabel("Namespace").press("Enter");
}

/** Pastes a text into the library. */
export async function addText(page: Page, text: string, title?: string): Promise<void> {
  await page.getByLabel("Or paste text").fill(text);
  if (title !== undefined) await page.getByLabel("Title").fill(title);
  await page.getByRole("button", { name: "Add text" }).click();
}

export const storedDocument = (page: Page, title: string): Locator =>
  page.getByRole("region", { name: "Documents" }).getByRole("button", { name: new RegExp(`^${title}`) });

/** A text file for a file input. */
export const textFile = (name: string, content: string) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(content),
});
