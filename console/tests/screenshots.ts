// Makes the pictures of the README, docs/images/*.png, from a stack of its own.
import { mkdirSync } from "node:fs";
import { startBrowser } from "./browser.ts";
import { answered, openPage } from "./page.ts";
import { startStack } from "./stack.ts";

const folder = new URL("../../docs/images/", import.meta.url).pathname;
mkdirSync(folder, { recursive: true });
const [stack, browser] = await Promise.all([startStack(), startBrowser()]);
try {
  const viewport = { width: 1200, height: 560 };
  const light = await openPage(browser, stack.url, { viewport, colorScheme: "light", reducedMotion: "reduce" });
  await light.page.getByRole("button", { name: "Try a sample document" }).click();
  await answered(light.page);
  await light.page.getByRole("button", { name: "1", exact: true }).first().click();
  await light.page.getByText("An exchange is free").last().waitFor();
  await light.page.screenshot({ path: `${folder}console-light.png` });
  const dark = await openPage(browser, `${stack.url}#/listing`, {
    viewport,
    colorScheme: "dark",
    reducedMotion: "reduce",
  });
  await dark.page.getByRole("button", { name: "Top launches of last week" }).click();
  await answered(dark.page);
  await dark.page.screenshot({ path: `${folder}console-dark.png` });
} finally {
  await browser.close();
  await stack.close();
}
