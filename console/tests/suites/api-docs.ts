import { expect } from "vitest";
import { openPage } from "../page.ts";
import { test } from "../stage.ts";

test("the API page of a service shows its routes, within its content security policy", async ({ browser, stack }) => {
  // Fastify and Express serve it in their own ways. The listing service does as the first.
  const pages = [
    [stack.ports.KNOWLEDGE_PORT, "Store texts, web pages and files"],
    [stack.ports.RELAY_PORT, "Run the model on a conversation"],
  ] as const;
  await Promise.all(
    pages.map(async ([port, summary]) => {
      const { page, faults, close } = await openPage(browser, `http://127.0.0.1:${port}/docs`);
      await page.getByRole("heading", { name: summary }).first().waitFor();
      expect(faults).toEqual([]);
      await close();
    }),
  );
});
