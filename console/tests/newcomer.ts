import { pdf } from "@agent-backends/testing";
import type { Browser } from "playwright-core";
import { expect } from "vitest";
import { answered, ask, chip, openPage } from "./page.ts";

// Browser types: this module is also compiled with tests that don't have the DOM library.
declare class DataTransfer {
  readonly items: { add(file: File): void };
}
declare class DragEvent extends Event {
  constructor(type: string, init: { dataTransfer: DataTransfer; bubbles: boolean; cancelable: boolean });
}

/** Goes from an empty installation to an answer that cites a dropped document, as a first-time user without a manual. */
export async function arriveAsNewcomer(browser: Browser, url: string): Promise<void> {
  const { page, faults, close } = await openPage(browser, url);

  await page.getByRole("link", { name: "Add documents" }).click();
  const pages = [["The house rules of the mountain hut."], ["Dogs are welcome in the dining room.", "Cats are not."]];
  const content = Buffer.from(pdf(pages, { title: "Hut rules" })).toString("base64");
  await page.getByText("Drop files or folders here").evaluate((element, base64) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(
      new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], "hut-rules.pdf", {
        type: "application/pdf",
      }),
    );
    for (const type of ["dragenter", "dragover", "drop"]) {
      element.dispatchEvent(new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true }));
    }
  }, content);
  await page.getByRole("link", { name: "Ask about it" }).click();
  await ask(page, "Are dogs welcome in the dining room?");
  await answered(page);
  await chip(page).click();
  const dialog = page.getByRole("dialog");
  await dialog.locator("mark").filter({ hasText: "Dogs are welcome in the dining room." }).waitFor();
  expect(await dialog.textContent()).toMatch(/page 2.*hut-rules\.pdf/);

  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "Status" }).click();
  await page.getByRole("heading", { name: "The offline provider answers" }).waitFor();
  expect(faults).toEqual([]);
  await close();
}
