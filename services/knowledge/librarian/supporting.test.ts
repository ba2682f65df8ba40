import { describe, expect, it } from "vitest";
import { findClaim, findSupport } from "./supporting.ts";

describe("the statement of a mark", () => {
  it.each([
    ["Parking is free. Refunds take 30 days [1].", "Refunds take 30 days"],
    ["Parking is free [2]. Refunds take 30 days. [1]", "Refunds take 30 days."],
    ["Refunds take 30 days [2][1].", "Refunds take 30 days"],
    ["According to [1], refunds take 30 days. Parking is free.", "According to, refunds take 30 days."],
    ["- **Parking**: behind the shop [2]\n- **Refunds**: 30 days [1]", "**Refunds**: 30 days"],
    ["| Refunds | 30 days [1] |", "| Refunds | 30 days"],
    ["返金は30日以内に支払われます[1]。", "返金は30日以内に支払われます"],
  ])("in %j is found", (answer, claim) => {
    expect(findClaim(answer, answer.indexOf("[1]"))).toBe(claim);
  });
});

describe("the sentence of a chunk that supports a statement", () => {
  const supported = (chunk: string, ...claims: string[]) => {
    const support = findSupport(chunk, claims);
    return support?.isClear ? chunk.slice(support.start, support.end) : undefined;
  };

  it.each([
    ["Money comes back within 30 days.", "Refunds are paid within 30 days."],
    ["Die Rückzahlung erfolgt nach Dr. Meier am 3. März.", "Laut Dr. Meier folgt die Rückzahlung am 3. März."],
    ["Tea costs 3 francs", "| Tea | 3 |"],
    ["The lake is 12 km long.", "The lake is about 12 km\nlong and lies in a valley that was formed by ice."],
  ])("of %j is found", (claim, sentence) => {
    const chunk = `# Rules\n\nParking is free behind the shop. Refunds are paid within 30 days.

Laut Dr. Meier folgt die Rückzahlung am 3. März. Danach ist Schluss.

| Item | Price |
| --- | --- |
| Tea | 3 |
| Milk | 4 |

The lake is about 12 km\nlong and lies in a valley that was formed by ice.`;
    expect(supported(chunk, claim)).toBe(sentence);
  });

  it.each([
    ["Im Jahr 2020 lag der Umsatz bei 2.345.678 Euro.", "It rose to EUR 2,345,678 in 2020."],
    ["El plazo es de 14 días.", "A refund takes 14 days."],
    ["يستغرق استرداد المبلغ ١٤ يوما.", "A refund takes 14 days."],
    ["Der Preis steht in Abschnitt 3.", undefined],
    ["Der Umsatz ist gestiegen.", undefined],
  ])("of %j is found by its numbers in another language", (claim, sentence) => {
    const chunk =
      "The revenue was EUR 1,234,567 in 2019. It rose to EUR 2,345,678 in 2020. A refund takes 14 days. It is in section 3.";
    expect(supported(chunk, claim)).toBe(sentence);
  });

  it("is not told if the two share too little", () => {
    expect(supported("Parking is free behind the shop.", "The museum opens at nine on Sundays.")).toBeUndefined();
    expect(supported("", "Refunds take 30 days.")).toBeUndefined();
  });
});
