import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBrowser } from "./browser.ts";
import { answered, openPage } from "./page.ts";
import type { Stack } from "./stack.ts";
import { startStack } from "./stack.ts";

const views = ["knowledge", "listing", "relay", "library", "status"];

let stack: Stack;
let browser: Browser;

beforeAll(async () => {
  [stack, browser] = await Promise.all([startStack(), startBrowser()]);
}, 90_000);
afterAll(async () => {
  await browser.close();
  await stack.close();
});

/** What axe finds on the page as it is. */
async function faultsOf(page: Page): Promise<string[]> {
  // Half-shown colours are no colours to judge.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    interface Violation {
      id: string;
      nodes: { target: string[]; failureSummary: string }[];
    }
    const { violations } = await axe.run();
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id} ${node.target}: ${node.failureSummary}`));
  });
}

const overflowOf = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);

describe.each(["light", "dark"] as const)("in %s", (colorScheme) => {
  test.each([1280, 360])(
    "axe finds nothing in any view at %i px, and nothing overflows",
    async (width) => {
      const size = { width, height: 800 };
      const { page, faults, close } = await openPage(browser, stack.url, {
        colorScheme,
        viewport: size,
        reducedMotion: "reduce",
      });
      await page.evaluate(axe.source);
      const found: Record<string, unknown> = {};
      const check = async (name: string) => {
        const [violations, overflow] = [await faultsOf(page), await overflowOf(page)];
        if (violations.length > 0 || overflow > 0) found[name] = { violations, overflow };
      };
      for (const view of views) {
        await page.getByRole("navigation").getByRole("link", { name: view }).click();
        await page.getByRole("heading", { level: 1, name: view }).waitFor();
        await page.waitForLoadState("networkidle");
        await check(view);
        const examples = { knowledge: /sample document|refunds paid/, listing: /last week/, relay: /Hello/ }[view];
        if (!examples) continue;
        await page.getByRole("button", { name: examples }).first().click();
        await answered(page);
        for (const summary of await page.locator("details:not([open]) > summary").all()) await summary.click();
        await check(`${view}, answered`);
      }
      await page.getByRole("link", { name: "Knowledge" }).click();
      await page.getByRole("button", { name: "1", exact: true }).first().click();
      await page.getByRole("dialog").locator("mark").waitFor();
      await check("passage");
      expect(found).toEqual({});
      expect(faults).toEqual([]);
      await close();
    },
    40_000,
  );
});

test("the theme follows the browser until the user chooses one, which stays", async () => {
  const { page, close } = await openPage(browser, stack.url, { colorScheme: "light" });
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await ground();
  await page.getByRole("button", { name: "Use dark theme" }).click();
  const dark = await ground();
  expect(dark).not.toBe(light);
  await page.reload();
  await page.getByRole("button", { name: "Use light theme" }).waitFor();
  expect(await ground()).toBe(dark);
  await close();
});

test("everything is reached by keyboard: skip to the content, ask, open a citation, close it", async () => {
  const { page, close } = await openPage(browser, `${stack.url}#/relay`);
  await page.getByRole("heading", { level: 1, name: "Relay" }).waitFor();
  await page.keyboard.press("Tab");
  expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Skip to content");
  await page.keyboard.press("Enter");
  expect(await page.evaluate(() => document.activeElement?.id)).toBe("main");
  await page.getByRole("link", { name: "Knowledge" }).press("Enter");
  await page.getByRole("heading", { level: 1, name: "Knowledge" }).waitFor();
  const picker = page.getByRole("combobox", { name: "Namespace" });
  await picker.click();
  await picker.press("Escape");
  await page.getByLabel("Message").press("Shift+Enter");
  await page.getByLabel("Message").pressSequentially("Are refunds paid?");
  await page.getByLabel("Message").press("Enter");
  await answered(page);
  await close();
});
