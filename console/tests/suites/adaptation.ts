import type { Locator } from "playwright-core";
import { describe, expect } from "vitest";
import { axeFaults, getOverflowPx } from "../axe.ts";
import { answered, ask, chip, chooseNamespace, newChat, view } from "../page.ts";
import { eventually, test } from "../stage.ts";

/** Scrolls to an element and returns the part of the window's height where nothing covers its view. Runs in the page. */
function openPart(element: Element): number {
  element.scrollIntoView({ block: "center" });
  const view = element.closest(".dialog-body") ?? element.closest(".page");
  const rows = Array.from({ length: Math.floor(innerHeight / 4) }, (_, row) => row * 4 + 2);
  const isOpen = (y: number) => view?.contains(document.elementFromPoint(innerWidth / 4, y));
  return rows.filter(isOpen).length / rows.length;
}

describe("the page, adapted to its user,", () => {
  test("at 400 % zoom shows a chunk and the library completely, with nothing covering them", async ({ visit }) => {
    const page = await visit({ viewport: { width: 320, height: 256 } });
    const isInSight = async (target: Locator) => {
      await eventually(() => target.evaluate(openPart)).toBeGreaterThan(0.75);
      expect(await target.isVisible()).toBe(true);
      expect(await getOverflowPx(page)).toBeLessThanOrEqual(0);
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

  test("in a small window opens each view and an empty chat at the top", async ({ visit }) => {
    const page = await visit({ viewport: { width: 320, height: 256 } });
    const top = () => page.evaluate(() => Math.round(scrollY));
    const scrollDown = async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
      await eventually(top).toBeGreaterThan(100);
    };
    for (const name of ["Library", "Status", "Knowledge", "Relay"]) {
      await view(page, name);
      await eventually(top).toBe(0);
      await scrollDown();
    }
    await ask(page, "Give me a table");
    await answered(page);
    await eventually(top).toBeGreaterThan(100);
    await newChat(page);
    await page.getByRole("heading", { name: "Talk to the model" }).waitFor();
    await eventually(top).toBe(0);
  });

  test("in a low window covers neither the search for chats nor the list", async ({ visit }) => {
    const page = await visit({ at: "#/relay", viewport: { width: 1280, height: 400 } });
    await ask(page, "Hello");
    await answered(page);
    for (const target of [
      page.getByLabel("Search chats"),
      page.locator(".conversation-row a"),
      page.getByTitle("theme"),
    ]) {
      await target.click({ trial: true, position: { x: 12, y: 12 } });
    }
  });

  test("in forced colours distinguishes what is selected, focused, checked and marked", async ({ visit }) => {
    const page = await visit({ forcedColors: "active" });
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
    const namespaces = page.getByRole("combobox", { name: "Namespace" });
    await namespaces.click();
    await page.getByRole("option").first().waitFor();
    await namespaces.press("ArrowDown");
    const option = page.getByRole("option", { selected: true });
    expect((await colours(option)).backgroundColor).not.toBe(ground);
    expect(await axeFaults(page)).toEqual([]);
    await view(page, "Relay");
    const [on, off] = [page.getByRole("radio", { name: "Express" }), page.getByRole("radio", { name: "Nest" })];
    const readColours = (radio: Locator) => colours(radio.locator("xpath=following-sibling::span"));
    expect((await readColours(on)).backgroundColor).not.toBe((await readColours(off)).backgroundColor);
  });
});
