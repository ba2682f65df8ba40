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

/** How far the widest content reaches beyond the window, or beyond the view or the dialog it is in, in pixels. */
export const getOverflowPx = (page: Page): Promise<number> =>
  page.evaluate(() => {
    const frames = [document.documentElement, ...document.querySelectorAll(".page, .card, .dialog-body")];
    return Math.max(...frames.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth));
  });
