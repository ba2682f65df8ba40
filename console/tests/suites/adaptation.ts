import type { Locator } from "playwright-core";
import { describe, expect } from "vitest";
import { overflowOf } from "../axe.ts";
import { answered, chip, chooseNamespace, view } from "../page.ts";
import { eventually, test } from "../stage.ts";
import { tour } from "../tour.ts";

/** The targets on the page that a finger misses, by their names. Runs in the page. */
function findSmallTargets(): string[] {
  const minPx = 36;
  const reach = minPx / 2 - 1;
  const interactive = "a[href], button, input, select, textarea, summary, [role=option], [role=switch]";
  const scope = document.querySelector("dialog[open]") ?? document;
  return [...scope.querySelectorAll<HTMLElement>(interactive)].flatMap((element) => {
    const isInText = element.matches("a") && getComputedStyle(element).display === "inline";
    const target = (element.matches("input") && element.closest("label")) || element;
    if (isInText || !target.checkVisibility({ visibilityProperty: true })) return [];
    target.scrollIntoView({ block: "center", inline: "center" });
    const { left, top, width, height } = target.getBoundingClientRect();
    // What is off the page until it has the focus.
    if (width <= 1 || getComputedStyle(target).clipPath !== "none") return [];
    const [x, y] = [left + width / 2, top + height / 2];
    const hits = (dx: number, dy: number) => {
      const hit = document.elementFromPoint(x + dx, y + dy);
      return hit !== null && (target.contains(hit) || hit.closest("label") === target);
    };
    const isWide = width >= minPx || (hits(-reach, 0) && hits(reach, 0));
    const isHigh = height >= minPx || (hits(0, -reach) && hits(0, reach));
    const name = element.getAttribute("aria-label") ?? element.textContent?.trim().slice(0, 40);
    return isWide && isHigh ? [] : [`${element.tagName} "${name}": ${Math.round(width)} × ${Math.round(height)}`];
  });
}

/** Whether an element lies open where it is scrolled to, over a good part of the window. Runs in the page. */
function canBeRead(element: Element): boolean {
  element.scrollIntoView({ block: "center" });
  const { left, top, bottom } = element.getBoundingClientRect();
  const [from, to] = [Math.max(0, top), Math.min(innerHeight, bottom)];
  const rows = Array.from({ length: Math.floor((to - from) / 4) }, (_, row) => from + row * 4 + 2);
  const open = rows.filter((y) => element.contains(document.elementFromPoint(left + 8, y)));
  return rows.length > 0 && open.length / rows.length > 0.7;
}

describe("the page, as its user needs it,", () => {
  test.for([
    [1440, 900],
    [390, 844],
  ] as const)(
    "at %i px has no target smaller than 36 px, but for links in a text",
    async ([width, height], { open }) => {
      const page = await open({ viewport: { width, height }, reducedMotion: "reduce" });
      await chooseNamespace(page, `targets ${width}`);
      const small: Record<string, string[]> = {};
      await tour(page, async (name) => {
        const found = await page.evaluate(findSmallTargets);
        if (found.length > 0) small[name] = found;
      });
      expect(small).toEqual({});
    },
  );

  test("at 400 % zoom shows a passage and the library in full, with nothing in front of them", async ({ open }) => {
    const page = await open({ viewport: { width: 320, height: 256 } });
    const isInSight = async (target: Locator) => {
      await eventually(() => target.evaluate(canBeRead)).toBe(true);
      expect(await overflowOf(page)).toBeLessThanOrEqual(0);
    };
    await chooseNamespace(page, "zoomed");
    await page.getByRole("button", { name: "Try a sample document" }).click();
    await answered(page);
    await chip(page).click();
    await isInSight(page.getByRole("dialog").locator("mark"));
    await page.keyboard.press("Escape");
    await view(page, "Library");
    await page.getByLabel("Search the library").fill("refunds");
    await page.getByLabel("Search the library").press("Enter");
    await isInSight(page.locator(".hit-text").first());
    await isInSight(page.locator(".document-title").first());
  });

  test("in forced colours shows what is selected, focused, switched on and marked", async ({ open }) => {
    const page = await open({ forcedColors: "active" });
    const colours = (target: Locator) =>
      target.evaluate((element) => {
        const { backgroundColor, outlineStyle, outlineWidth } = getComputedStyle(element);
        return { backgroundColor, outline: outlineStyle === "none" ? "" : outlineWidth };
      });
    const ground = (await colours(page.locator("body"))).backgroundColor;
    const links = page.getByRole("navigation", { name: "Views" }).getByRole("link");
    expect((await colours(links.nth(0))).backgroundColor).not.toBe((await colours(links.nth(1))).backgroundColor);
    await page.getByLabel("Message").focus();
    expect((await colours(page.locator(".composer"))).outline).toBe("3px");
    await chooseNamespace(page, "forced");
    await page.getByRole("button", { name: "Try a sample document" }).click();
    await answered(page);
    await chip(page).click();
    expect((await colours(page.getByRole("dialog").locator("mark"))).backgroundColor).not.toBe(ground);
    await page.keyboard.press("Escape");
    await page.getByRole("combobox", { name: "Namespace" }).press("ArrowDown");
    const option = page.getByRole("option", { selected: true });
    expect((await colours(option)).backgroundColor).not.toBe(ground);
    await view(page, "Relay");
    const [on, off] = [page.getByRole("radio", { name: "Express" }), page.getByRole("radio", { name: "Nest" })];
    const lookOf = (radio: Locator) => colours(radio.locator("xpath=following-sibling::span"));
    expect((await lookOf(on)).backgroundColor).not.toBe((await lookOf(off)).backgroundColor);
  });
});
