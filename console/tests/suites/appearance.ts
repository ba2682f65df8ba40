import { describe, expect } from "vitest";
import { axeFaults, getOverflowPx } from "../axe.ts";
import { answered, ask, chooseNamespace, conversation, view, viewTitles } from "../page.ts";
import { findSmallTargets } from "../small-targets.ts";
import { eventually, test } from "../stage.ts";
import { tour } from "../tour.ts";

describe("the page", () => {
  // Each theme and each width once: colours don't depend on the width, nor the layout on the theme.
  test.for([
    ["light", 1440],
    ["dark", 390],
  ] as const)(
    "in %s at %i px has no axe violations, no overflow and no target smaller than 36 px",
    async ([colorScheme, width], { visit }) => {
      const page = await visit({ colorScheme, viewport: { width, height: 800 }, reducedMotion: "reduce" });
      await chooseNamespace(page, `${colorScheme} ${width} `.padEnd(128, "x"));
      const found: Record<string, unknown> = {};
      await tour(page, async (name) => {
        const [violations, overflow] = [await axeFaults(page), await getOverflowPx(page)];
        const smallTargets = await page.evaluate(findSmallTargets);
        if (violations.length > 0 || overflow > 0 || smallTargets.length > 0) {
          found[name] = { violations, overflow, smallTargets };
        }
      });
      expect(found).toEqual({});
    },
  );

  test("fits all widths from a phone's to a wall display's, and logs no error when a view is opened or reloaded", async ({
    visit,
  }) => {
    const page = await visit({ at: "#/status" });
    const errors: string[] = [];
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    for (const name of await viewTitles(page)) {
      await view(page, name);
      for (const width of [360, 768, 1280, 2560]) {
        await page.setViewportSize({ width, height: 900 });
        expect(await getOverflowPx(page), `${name} at ${width} px`).toBeLessThanOrEqual(0);
      }
      await page.waitForLoadState("networkidle");
      await page.reload();
      await page.getByRole("heading", { level: 1, name }).waitFor();
      await page.waitForLoadState("networkidle");
    }
    expect(errors).toEqual([]);
  });

  test("shows an answer at 400 % zoom with nothing covering it, and follows its end", async ({ visit }) => {
    const page = await visit({ at: "#/relay", viewport: { width: 320, height: 256 } });
    await ask(page, "A long one");
    await answered(page);
    expect(await getOverflowPx(page)).toBeLessThanOrEqual(0);
    await eventually(() =>
      page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 4),
    ).toBe(true);
    // The part of the window's height, near the left edge, where nothing covers the answer.
    const readable = () =>
      Array.from({ length: innerHeight }, (_, y) => document.elementFromPoint(innerWidth / 8, y)).filter((element) =>
        element?.closest(".message, .chat-scroller"),
      ).length / innerHeight;
    await page.evaluate(() => scrollTo(0, 1_000));
    await eventually(() => page.evaluate(readable)).toBeGreaterThan(0.75);
  });

  test("follows the browser's theme until the user chooses one, which is remembered", async ({ visit }) => {
    const page = await visit({ colorScheme: "light" });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await ground();
    await page.getByRole("button", { name: "Use dark theme" }).click();
    const dark = await ground();
    expect(dark).not.toBe(light);
    await page.reload();
    await page.getByRole("button", { name: "Use light theme" }).waitFor();
    expect(await ground()).toBe(dark);
  });

  test("does not move if the user prefers reduced motion", async ({ visit }) => {
    const page = await visit({ at: "#/relay", reducedMotion: "reduce" });
    const { promise: never } = Promise.withResolvers<void>();
    await page.route("**/MarkdownAnswer*.js", () => never);
    await ask(page, "Please hang");
    await conversation(page).locator(".skeleton").first().waitFor();
    const moving = () =>
      document.getAnimations().filter(({ effect }) => Number(effect?.getComputedTiming().activeDuration) > 10).length;
    expect(await page.evaluate(moving)).toBe(0);
  });
});
