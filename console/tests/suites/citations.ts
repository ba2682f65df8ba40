import { pdf, xlsx } from "@agent-backends/testing";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { axeFaults } from "../axe.ts";
import { hasFocus } from "../gestures.ts";
import { answered, ask, chip, chooseNamespace } from "../page.ts";
import { storeFiles } from "../stack.ts";
import { eventually, test } from "../stage.ts";

const rules = `# House rules

See the [association's page](https://example.com/rules) or [this](javascript:alert(1)).

![a picture](http://127.0.0.1:9/pixel.png)

| Who | Bed |
| --- | --- |
| Guests | 38 |

## Checking out

1. Fold the blankets.
2. Leave before **8:30**, as the warden needs 3 hours.

<script>window.hacked=1</script>
`;

const handbook = pdf(
  [
    ["This handbook hangs in every hut."],
    [
      "Members pay 24 francs per night, and guests pay 38 francs per night. Chil-",
      "dren below the age of twelve stay for half of the price that their parents",
      "pay. Reservations are held until six in the evening.",
      "",
      "Things to bring:",
      "- shoes for the house",
    ],
  ],
  { title: "Hut handbook" },
);

const prices = (soup: string, polenta: string) => [
  ["Item", "Price"],
  ["Soup", soup],
  ["Polenta", polenta],
];

/** Asks in the namespace and waits for the answer. */
async function askCited(page: Page, question: string): Promise<void> {
  await chooseNamespace(page, "cited");
  await ask(page, question);
  await answered(page);
}

const dialog = (page: Page) => page.getByRole("dialog");
const marked = (page: Page) => dialog(page).locator("mark").allTextContents();

describe("a citation", () => {
  test.beforeAll(async ({ stack }) => {
    await storeFiles(stack, "cited", [
      ["handbook.pdf", handbook],
      ["kitchen.xlsx", xlsx({ Summer: prices("4.10", "7.90"), Winter: prices("4.40", "8.60") })],
      ["docs/rules.md", rules],
      ["beds.csv", 'Hut;Beds\nGletsch;48\n"Obere; Alp";96\n'],
    ]);
  });

  test("of a PDF shows its page, joins wrapped lines, and marks the sentence that supports the answer", async ({
    chat,
  }) => {
    const page = await chat("knowledge");
    await askCited(page, "What is paid below the age of twelve?");
    await chip(page).click();
    await eventually(() => marked(page)).toEqual([
      "Children below the age of twelve stay for half of the price that their parents pay.",
    ]);
    expect(await dialog(page).textContent()).toContain("page 2");
    expect(await dialog(page).locator(".chunk-text").textContent()).toContain("Things to bring:\n- shoes");
    expect(await dialog(page).locator(".context").first().textContent()).toContain("This handbook hangs in every hut.");
  });

  test("of a workbook shows its sheet and table; arrow keys and buttons lead to the next and previous chunk", async ({
    chat,
  }) => {
    const page = await chat("knowledge");
    await askCited(page, "What does Polenta cost?");
    const sources = page.getByRole("list", { name: "Sources" }).getByRole("button");
    expect(await sources.count()).toBe(2);
    await sources.first().click();
    const position = dialog(page).getByRole("status");
    await position.filter({ hasText: "1 of 2" }).waitFor();
    const sheet = async () => /sheet “(.*?)”/.exec((await dialog(page).textContent()) ?? "")?.[1];
    const first = await sheet();
    await dialog(page).getByRole("cell", { name: "Polenta" }).first().waitFor();
    await page.keyboard.press("ArrowRight");
    await position.filter({ hasText: "2 of 2" }).waitFor();
    expect(new Set([first, await sheet()])).toEqual(new Set(["Summer", "Winter"]));
    const next = dialog(page).getByRole("button", { name: "Next" });
    await next.click();
    await position.filter({ hasText: "1 of 2" }).waitFor();
    expect(await hasFocus(next)).toBe(true);
    await page.keyboard.press("ArrowLeft");
    await position.filter({ hasText: "2 of 2" }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press("Escape");
    expect(await hasFocus(sources.first())).toBe(true);

    // The same chunk is cited for two claims. Each mark shows the one before it.
    await page.locator(".answer-text").getByRole("button", { name: "2", exact: true }).last().click();
    await eventually(() => marked(page)).toEqual(["Soup", expect.stringMatching(/^4\.[14]0$/)]);
  });

  test("of a CSV file is a table with the record marked", async ({ chat }) => {
    const page = await chat("knowledge");
    await askCited(page, "How many beds has the Obere Alp?");
    await chip(page).click();
    await eventually(() => marked(page)).toEqual(["Obere; Alp", "96"]);
    await dialog(page).getByRole("cell", { name: "Gletsch" }).waitFor();
  });

  test("of Markdown is rendered, and nothing in it runs, is loaded or leads astray", async ({ chat }) => {
    const page = await chat("knowledge");
    const requested: string[] = [];
    page.on("request", (request) => requested.push(request.url()));
    await askCited(page, "What is said about checking out?");
    await chip(page).click();
    await eventually(async () => (await marked(page)).join("")).toBe("Leave before 8:30, as the warden needs 3 hours.");
    expect(await dialog(page).textContent()).toMatch(/docs\/rules\.md/);
    await dialog(page).getByRole("cell", { name: "38" }).waitFor();
    await dialog(page).getByText("<script>window.hacked=1</script>").waitFor();
    const links = dialog(page).locator(".chunk-text a");
    expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute("href")))).toEqual([
      "https://example.com/rules",
      "http://127.0.0.1:9/pixel.png",
    ]);
    expect(await page.evaluate(() => "hacked" in window)).toBe(false);
    expect(requested.filter((url) => url.includes("pixel"))).toEqual([]);
  });
});
