import axe from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { ask, chooseNamespace, conversation, view } from "../page.ts";
import { test } from "../stage.ts";
import { tour } from "../tour.ts";

const views = ["Knowledge", "Listing", "Relay", "Library", "Status"];

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

describe("the page", () => {
  // Each theme and each width once: colours know no width, and the layout knows no theme.
  test.for([
    ["light", 1280],
    ["dark", 360],
  ] as const)(
    "in %s at %i px has nothing that axe finds, and nothing overflows",
    async ([colorScheme, width], { open }) => {
      const page = await open({ colorScheme, viewport: { width, height: 800 }, reducedMotion: "reduce" });
      await chooseNamespace(page, `${colorScheme} ${width}`);
      await page.evaluate(axe.source);
      const found: Record<string, unknown> = {};
      await tour(page, async (name) => {
        const [violations, overflow] = [await faultsOf(page), await overflowOf(page)];
        if (violations.length > 0 || overflow > 0) found[name] = { violations, overflow };
      });
      expect(found).toEqual({});
    },
  );

  test("fits each width from a phone's to a wall's", async ({ open }) => {
    const page = await open();
    for (const width of [360, 768, 1280, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      for (const name of views) {
        await view(page, name);
        expect(await overflowOf(page), `${name} at ${width} px`).toBeLessThanOrEqual(0);
      }
    }
  });

  test("follows the browser's theme until the user chooses one, which stays", async ({ open }) => {
    const page = await open({ colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole("button", { name: "Use dark theme" }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByRole("button", { name: "Use light theme" }).waitFor();
    expect(await ground()).toBe(dark);
  });

  test("holds still where less motion is wanted", async ({ open }) => {
    const page = await open({ at: "#/relay", reducedMotion: "reduce" });
    await ask(page, "Please hang");
    await conversation(page).getByText("First words").waitFor();
    const moving = () =>
      document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().duration) > 1).length;
    expect(await page.evaluate(moving)).toBe(0);
  });
});
