import { fileURLToPath } from "node:url";
import { createServer } from "vite";
import { expect } from "vitest";
import type { startBrowser } from "../../console/tests/browser.ts";

type Browser = Awaited<ReturnType<typeof startBrowser>>;
type Page = Awaited<ReturnType<typeof openExamples>>["page"];

/**
 * Serves the example pages like `npx vite examples/…` and opens them in a browser.
 *
 * @param port one that the services' CORS_ORIGINS allow
 * @param moved replaces the documented ports with the test's
 */
export async function openExamples(browser: Browser, port: number, moved: (source: string) => string) {
  const server = await createServer({
    root: fileURLToPath(new URL("../../examples", import.meta.url)),
    cacheDir: "../node_modules/.cache/examples",
    logLevel: "error",
    server: { port, strictPort: true, host: "127.0.0.1", hmr: false, watch: null },
    optimizeDeps: {
      include: [
        "@ag-ui/client",
        "canvas-confetti",
        "react",
        "react-dom/client",
        "react/jsx-dev-runtime",
        "react-markdown",
        "remark-gfm",
      ],
    },
    plugins: [
      { name: "ports", enforce: "pre", transform: (code, id) => (id.includes("/examples/") ? moved(code) : undefined) },
    ],
  });
  await server.listen();
  const page = await browser.newPage();
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  return {
    page,
    open: (path: string) => page.goto(`http://127.0.0.1:${port}/${path}/`),
    async close() {
      await page.close();
      await server.close();
      expect(faults).toEqual([]);
    },
  };
}

/** Asks one of the agents of examples/react. Resolves with its part of the page once that matches. */
export async function askReact(page: Page, name: string, question: string, expected: RegExp): Promise<void> {
  const chat = page.getByRole("region", { name });
  await chat.getByRole("textbox").fill(question);
  await chat.getByRole("button").click();
  await chat.getByText(expected).first().waitFor();
}

/** Selects a registration of examples/chat-platform and sends its message. */
export async function sendAsPlatform(page: Page, preset: string, expected: RegExp): Promise<void> {
  await page.getByLabel("Start from").selectOption(preset);
  await page.getByRole("button").click();
  await page.getByRole("status").filter({ hasText: expected }).waitFor();
}
