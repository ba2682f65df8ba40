import type { BrowserContextOptions, Page } from "playwright-core";
import { test as base, expect } from "vitest";
import { startBrowser } from "./browser.ts";
import { desktop, openPage, patienceMs } from "./page.ts";
import { startProvider } from "./provider.ts";
import { startStack } from "./stack.ts";

/** Settings of a test's visit to the page. */
type Visit = { at?: string } & Pick<BrowserContextOptions, "colorScheme" | "reducedMotion" | "forcedColors"> & {
    viewport?: { width: number; height: number };
  };

/** A test in a real browser. The tests of a file share the services and the browser; each opens its own tabs. */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads a fixture's dependencies from the pattern
  .extend("provider", { scope: "file" }, async ({}, { onCleanup }) => {
    const provider = await startProvider();
    onCleanup(() => provider.close());
    return provider;
  })
  .extend("stack", { scope: "file" }, async ({ provider }, { onCleanup }) => {
    const stack = await startStack({ LLM_API_KEY: "test", LLM_BASE_URL: provider.baseUrl });
    onCleanup(() => stack.close());
    return stack;
  })
  // biome-ignore lint/correctness/noEmptyPattern: likewise
  .extend("browser", { scope: "file" }, async ({}, { onCleanup }) => {
    const browser = await startBrowser();
    onCleanup(() => browser.close());
    return browser;
  })
  /** Opens the page with empty storage. Logged errors and violations of the content security policy fail the test. */
  .extend("open", async ({ stack, browser }, { onCleanup }) => {
    const opened: Awaited<ReturnType<typeof openPage>>[] = [];
    onCleanup(async () => {
      await Promise.all(opened.map(({ close }) => close()));
      expect(opened.flatMap(({ faults }) => faults)).toEqual([]);
    });
    return async (options: BrowserContextOptions & { at?: string } = {}): Promise<Page> => {
      const { at = "", ...rest } = options;
      const page = await openPage(browser, stack.url + at, rest);
      opened.push(page);
      return page.page;
    };
  })
  .extend("tab", { scope: "file" }, async ({ browser }, { onCleanup }) => {
    const tab = await openPage(browser, "about:blank");
    onCleanup(() => tab.close());
    return tab;
  })
  /** Closes what a test has opened besides the shared tab, and resets its permissions and routes. */
  .extend("shared", async ({ tab: { page, faults } }, { onCleanup }) => {
    onCleanup(async () => {
      const context = page.context();
      await Promise.all(context.pages().map((opened) => opened !== page && opened.close()));
      await context.clearPermissions();
      await page.unrouteAll({ behavior: "ignoreErrors" });
      expect(faults.splice(0)).toEqual([]);
    });
    return page;
  })
  /**
   * Opens the page with empty storage in a tab that tests share, because a new tab costs as much as ten clicks. Tests that set the time
   * zone or add scripts use `open`.
   */
  .extend("visit", ({ shared: page, stack }) => async ({ at = "", ...look }: Visit = {}) => {
    await empty(page, `${stack.url}console.json`);
    await setLook(page, look);
    await page.goto(stack.url + at);
    return page;
  })
  .extend("page", ({ visit }) => visit())
  /**
   * Opens a new chat with an agent in the page as the previous test left it, which costs a tenth of a visit. Storage and navigation
   * still contain the chats of previous tests.
   */
  .extend("chat", ({ shared: page, visit, stack }) => async (agent: "knowledge" | "listing" | "relay") => {
    if (!page.url().startsWith(`${stack.url}#`)) return visit({ at: `#/${agent}` });
    await setLook(page, {});
    await page.evaluate((hash) => location.assign(hash), `#/${agent}`);
    await page.locator(".chat-empty").waitFor();
    return page;
  });

async function setLook(page: Page, { viewport = desktop, ...media }: Omit<Visit, "at">): Promise<void> {
  await page.setViewportSize(viewport);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "no-preference", forcedColors: "none", ...media });
}

/** Deletes the page's stored data. `other` has the page's origin, but no scripts that would store more. */
async function empty(page: Page, other: string): Promise<void> {
  await page.goto(other);
  await page.evaluate(async () => {
    localStorage.clear();
    sessionStorage.clear();
    for (const { name = "" } of await indexedDB.databases()) {
      await new Promise((resolve, reject) => {
        const request = indexedDB.deleteDatabase(name);
        request.onsuccess = resolve;
        request.onerror = reject;
      });
    }
  });
}

/** Polls until the assertion holds. */
export function eventually<Value>(look: () => Value): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(look, { timeout: patienceMs });
}
