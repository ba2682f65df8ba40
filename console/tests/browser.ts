import sparticuz from "@sparticuz/chromium";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";

/**
 * Starts the Chromium that an npm package carries; CHROMIUM_PATH names another one. Of the package's own arguments only what
 * a container needs is taken: the others switch off what browsers check, such as cross-origin requests.
 */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? (await sparticuz.executablePath());
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu", "--font-render-hinting=none"] });
}
