import sparticuz from "@sparticuz/chromium";
import type { Browser } from "playwright-core";
import { chromium } from "playwright-core";

/**
 * Starts the Chromium of an npm package, or the one at CHROMIUM_PATH. Uses only those of the package's default arguments that are
 * needed in a container: the others disable security checks, such as those of cross-origin requests.
 */
export async function startBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM_PATH ?? (await sparticuz.executablePath());
  const launch = () =>
    chromium.launch({
      executablePath,
      args: ["--no-sandbox", "--disable-gpu", "--in-process-gpu", "--font-render-hinting=none"],
    });
  // Chromium itself sometimes crashes while it starts on a busy machine.
  return launch().catch(launch);
}
