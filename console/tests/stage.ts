import type { BrowserContextOptions, Page } from "playwright-core";
import { test as base, expect } from "vitest";
import { startBrowser } from "./browser.ts";
import { openPage, patienceMs } from "./page.ts";
import { startProvider } from "./provider.ts";
import { startStack } from "./stack.ts";

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
  .extend("page", async ({ open }) => open());

/** Polls until the assertion holds. */
export function eventually<Value>(look: () => Value): ReturnType<typeof expect.poll<Value>> {
  return expect.poll(look, { timeout: patienceMs });
}
