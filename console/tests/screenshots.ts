import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Browser } from "playwright-core";
import { startBrowser } from "./browser.ts";
import { answered, openPage } from "./page.ts";
import { startProvider } from "./provider.ts";
import type { Stack } from "./stack.ts";
import { startStack } from "./stack.ts";
import { tour } from "./tour.ts";

// Makes the screenshots of the README, docs/images/*.png. With a folder as argument, makes screenshots of all views there.

const [, , folder] = process.argv;

async function takeForReadme(browser: Browser, stack: Stack, images: string): Promise<void> {
  const look = { viewport: { width: 1200, height: 560 }, reducedMotion: "reduce" } as const;
  const light = await openPage(browser, stack.url, { ...look, colorScheme: "light" });
  await light.page.getByRole("button", { name: "Try a sample document" }).click();
  await answered(light.page);
  await light.page.getByRole("button", { name: "1", exact: true }).first().click();
  await light.page.getByText("An exchange is free").last().waitFor();
  await light.page.screenshot({ path: `${images}console-light.png` });
  const dark = await openPage(browser, `${stack.url}#/listing`, { ...look, colorScheme: "dark" });
  await dark.page.getByRole("button", { name: "Top launches of last week" }).click();
  await answered(dark.page);
  await dark.page.screenshot({ path: `${images}console-dark.png` });
}

async function takeAll(browser: Browser, stack: Stack, images: string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    for (const [width, height] of [
      [360, 740],
      [1280, 800],
      [2200, 1240],
    ] as const) {
      const options = { colorScheme, viewport: { width, height }, reducedMotion: "reduce" } as const;
      const { page, close } = await openPage(browser, stack.url, options);
      await page.getByLabel("Namespace").fill(`${colorScheme} ${width}`);
      await page.getByLabel("Namespace").press("Enter");
      let count = 10;
      await tour(page, async (name) => {
        await page.screenshot({
          animations: "disabled",
          path: `${images}/${colorScheme}-${width}-${count++}-${name.replaceAll(/\W+/g, "-")}.png`,
        });
      });
      await close();
    }
  }
}

const provider = await startProvider();
const environment: Record<string, string> = folder ? { LLM_API_KEY: "test", LLM_BASE_URL: provider.baseUrl } : {};
const [stack, browser] = await Promise.all([startStack(environment), startBrowser()]);
try {
  const images = folder ?? fileURLToPath(new URL("../../docs/images/", import.meta.url));
  mkdirSync(images, { recursive: true });
  await (folder ? takeAll : takeForReadme)(browser, stack, images);
} finally {
  await browser.close();
  await stack.close();
  await provider.close();
}
