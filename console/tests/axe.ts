import axe from "axe-core";
import type { Page } from "playwright-core";

/** The accessibility violations that axe finds in the page's current state. */
export async function axeFaults(page: Page): Promise<string[]> {
  // Compiling axe takes longer than running it.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  // Wait for transitions to end, because colours change during them.
  await page.evaluate(async () => {
    const ending = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
    await Promise.allSettled(ending.map(({ finished }) => finished));
  });
  return page.evaluate(async () => {
    const { axe } = window as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
    interface Violation {
      id: string;
      nodes: { target: string[]; failureSummary: string }[];
    }
    const { violations } = await axe.run({ resultTypes: ["violations"] });
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id} ${node.target}: ${node.failureSummary}`));
  });
}

/** How much wider the page is than the window, in pixels. */
export const getOverflowPx = (page: Page): Promise<number> =>
  page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
