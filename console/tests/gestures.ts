import type { Locator, Page } from "playwright-core";

/** Pastes a file into a field. */
export async function pasteFile(field: Locator, name: string, type: string, content: string): Promise<void> {
  await field.evaluate(
    (element, file) => {
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([file.content], file.name, { type: file.type }));
      element.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
    },
    { name, type, content },
  );
}

/** Grants access to the clipboard and returns a function that reads it. */
export async function openClipboard(page: Page): Promise<() => Promise<string>> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  return () => page.evaluate(() => navigator.clipboard.readText());
}

export const hasFocus = (target: Locator): Promise<boolean> =>
  target.evaluate((element) => element === document.activeElement);
