import { describe, expect, it } from "vitest";
import { answerFromChunks } from "./answer.ts";

const refusal = "[0] The documents do not answer this question.";

function answer(question: string, content: string, tableHeader?: string) {
  const chunk = { number: 1, title: "table.csv", source: "file:table.csv", sheet: "", heading: "", content };
  const text = answerFromChunks(question, [{ ...chunk, ...(tableHeader !== undefined && { tableHeader }) }]);
  return text.split("\n\nSources:")[0];
}

describe("an answer from separated values", () => {
  const shop = "name;price;stock\nBread;2,80;14\nCheese;3,50;9\nMilk;1,20;30\n";

  it.each([
    ["What is the stock of Milk?", shop, "name: Milk · price: 1,20 · stock: 30 [1]"],
    ["What is the price of Bread?", shop, "name: Bread · price: 2,80 · stock: 14 [1]"],
    ["What is the price of Milk?", "name;price\nBread;2,80\nCheese;3,50\nMilk;1,20\n", "name: Milk · price: 1,20 [1]"],
    ["What is the price of Milk?", "name,price\nBread,2\nCheese,3\nMilk,1\n", "name: Milk · price: 1 [1]"],
    [
      "What is the price of Milk?",
      "Export of 3 May\n\nname;price\nBread;2\nMilk;1,20\nTea;2",
      "name: Milk · price: 1,20 [1]",
    ],
    [
      "Was kostet der Wasserfilter?",
      'Artikel;Preis\n"Wasserfilter\nBrita";19,99 €\nKaffeelöffel;4,50 €\nEntkalker;7,90 €\n',
      "Artikel: Wasserfilter Brita · Preis: 19,99 € [1]",
    ],
  ])("answers %j with one row of the file with semicolons or two columns", (question, content, expected) => {
    expect(answer(question, content)).toBe(expected);
  });
});

const header = "order_id,customer,city,product,quantity,total_eur,status,ordered_on";
const orders = `ORD-10487,Anna Keller,Berlin,Lamp,2,40.00,shipped,2026-05-02
ORD-10490,Li Wei,Rome,Chair,1,85.00,shipped,2026-05-03
ORD-10500,Anna Keller,Berlin,Desk,1,210.00,pending,2026-05-03
ORD-10776,Clara Silva,Rome,Lamp,3,60.00,returned,2026-05-09
`;
const pending =
  "order_id: ORD-10500 · customer: Anna Keller · city: Berlin · product: Desk · quantity: 1 · total_eur: 210.00 · status: pending · ordered_on: 2026-05-03 [1]";

describe("an answer from a few rows of a long table", () => {
  it.each([
    "Is ORD-10500 shipped?",
    "Has ORD-10500 been returned?",
    "How much did ORD-10500 cost?",
    "How many units does ORD-10500 have?",
    "Give me details of ORD-10500",
    "¿Cuál es el estado de ORD-10500?",
    "Welches Produkt ist in ORD-10500?",
    "Wer hat ORD-10500 bestellt?",
    "ORD-10500の状態は？",
    "ما حالة ORD-10500؟",
  ])("to %j is the row that it names", (question) => {
    expect(answer(question, orders, header)).toBe(pending);
  });

  it("has each row that the question names", () => {
    const text = answer("Show order ORD-10500 and ORD-10776", orders, header);
    expect(text).toContain("order_id: ORD-10500");
    expect(text).toContain("order_id: ORD-10776");
  });

  it.each([
    "How many orders are there?",
    "How many orders were returned?",
    "What is the total of all orders in Berlin?",
    "Which orders did Anna Keller place?",
    "What did Clara Silva order on 2026-05-14?",
    "Is ORD-10501 shipped?",
  ])("is none to %j, since other rows may count or fit", (question) => {
    expect(answer(question, orders, header)).toBe(refusal);
  });

  const items = "SKU-1299,Item 299,29.95,19\nSKU-1300,Item 300,30.05,20\nSKU-1301,Item 301,30.15,21\n";
  it.each(["What is the price of SKU-1300?", "What is the price_eur of Item 300?", "stock of Item 300", "Item 300"])(
    "to %j is the item's row",
    (question) => {
      const row = "sku: SKU-1300 · name: Item 300 · price_eur: 30.05 · stock: 20 [1]";
      expect(answer(question, items, "sku,name,price_eur,stock")).toBe(row);
    },
  );

  const releases = "v2.1.2,go1.26,2026-06-26\nv2.0.16,go1.25,2026-03-13\nv0.2.0,go1.2,2014-01-05\n";
  it("to a question about a version is its row, whether or not it begins with a v", () => {
    const row = "Version: v2.0.16 · Runtime: go1.25 · Date: 2026-03-13 [1]";
    expect(answer("On what date did 2.0.16 come out?", releases, "Version,Runtime,Date")).toBe(row);
    expect(answer("When was v2.0.16 released?", releases, "Version,Runtime,Date")).toBe(row);
    expect(answer("When is version 2.0 going to be released?", releases, "Version,Runtime,Date")).toBe(refusal);
  });

  const trees =
    "Karlsruhe,80,trees need a permit\nMannheim,60,a trunk of 60 cm is protected\nRavensburg,80,old trees are protected\n";
  it.each([
    "From which limit on is a tree protected in Mannheim?",
    "From which limit on is a tree protected in Manheim?",
  ])("to %j is the town's row, and no other that shares words with it", (question) => {
    const row = "town: Mannheim · limit_cm: 60 · remark: a trunk of 60 cm is protected [1]";
    expect(answer(question, trees, "town,limit_cm,remark")).toBe(row);
  });

  it("is the row that is about a part of a compound", () => {
    const fees = "13.1;Kirchenaustrittsverfahren;30,00 €\n13.2;Namensänderung;25,00 €\n";
    expect(answer("Was kostet der Austritt aus der Kirche?", fees, "Nr.;Leistung;Gebühr")).toBe(
      "Nr.: 13.1 · Leistung: Kirchenaustrittsverfahren · Gebühr: 30,00 € [1]",
    );
  });

  it("has no names of columns where the table has no header", () => {
    const fees = "| 18. | Opening of an abscess | 100 zł |\n| 19. | Root filling | 260 zł |\n";
    expect(answer("What does a root filling cost?", fees, "| 1. | Consultation | 50 zł |")).toBe(
      "19. · Root filling · 260 zł [1]",
    );
  });

  it("is the limit of what the question names", () => {
    const limits =
      "| all | A JSON body | 10 MiB |\n| all | A JSON body that counts as large | 128 KiB |\n| all | An idle connection | 65 s |";
    expect(answer("What is the limit of a JSON body?", limits, "| services | limit | value |")).toBe(
      "services: all · limit: A JSON body · value: 10 MiB [1]",
    );
  });
});

describe("an answer from a table below a heading", () => {
  const plans = `# Plans

| Feature | Starter | Team |
| --- | --- | --- |
| Users | 1 | 10 |
| Price per month | $0 | $29 |
| Weight of the box | 2 kg | 3 kg |`;

  it("to how much something is, in few words, is the row with a price", () => {
    expect(answer("how much for the team plan", plans)).toBe("Feature: Price per month · Starter: $0 · Team: $29 [1]");
  });

  it.each([
    ["a value of the heading's subject, which any row has", "how heavy are the plans", plans],
    ["all that is asked for", "do you have a team plan with a phone", plans],
    [
      "the column that is asked for",
      "Who is the supplier of ET-1001?",
      "no;name;price\nET-1001;V-belt;3\nET-1002;Saw;5\n",
    ],
  ])("is none without %s", (_what, question, content) => {
    expect(answer(question, content)).toBe(refusal);
  });
});

describe("an answer from a table whose rows the question names", () => {
  const beans = `| Sorte | 250 g netto | 250 g brutto | 1 kg netto | 1 kg brutto |
| --- | --- | --- | --- | --- |
| Äthiopien Sidamo | 8.5 | 9.1 | 29 | 31.03 |
| Brasilien Santos | 6.9 | 7.38 | 22.5 | 24.08 |
| Espresso Nero | 7,20 | 7,70 € | auf Anfrage | - |`;

  it.each(["Was kostet 1 kg Äthiopien Sidamo brutto?", "Was kostet Äthiopien Sidamo?"])(
    "to %j is the plain price of that row",
    (question) => {
      expect(answer(question, beans)).toBe(
        "Sorte: Äthiopien Sidamo · 250 g netto: 8.5 · 250 g brutto: 9.1 · 1 kg netto: 29 · 1 kg brutto: 31.03 [1]",
      );
    },
  );

  it("is that row, even if only another one has a price", () => {
    const stock = "| Sorte | Preis |\n| --- | --- |\n| Äthiopien Sidamo | folgt |\n| Espresso Nero | 7,70 € |";
    expect(answer("Was kostet Äthiopien Sidamo?", stock)).toBe("Sorte: Äthiopien Sidamo · Preis: folgt [1]");
  });

  it("has no row of another table beside the one that is named in another form", () => {
    const hours = `# Öffnungszeiten

| Montag-Freitag | 9:00-12:30 |
| Samstag | geschlossen |

# Preise

| Artikel | Preis netto | Lieferzeit |
| --- | --- | --- |
| Bella Espresso 200 | 1.299,00 € | 3 Tage |
| Bella Espresso 300 | 1.899,50 € | 5 Tage |`;
    const text = answer("Wann ist samstags geöffnet?", hours);
    expect(text).toContain("Samstag");
    expect(text).not.toContain("Bella");
  });
});

describe("an answer to a follow-up about a row", () => {
  const csv = "Tarif;Preis pro Monat;Preis pro Jahr;Postfächer\nStart;4,90 €;49,00 €;1\nPro;12,50 €;129,00 €;5\n";
  const markdown =
    "| Tarif | Preis pro Monat | Preis pro Jahr | Postfächer |\n| --- | --- | --- | --- |\n| Start | 4,90 € | 49,00 € | 1 |\n| Pro | 12,50 € | 129,00 € | 5 |\n";
  const price = "Was kostet der Pro-Tarif im Monat?";

  it.each([
    ["und wie viel kostet das im Jahr?", /^Tarif: Pro .*129,00/],
    ["Und im Jahr?", /^Tarif: Pro .*129,00/],
    ["Und wie viele Postfächer hat er?", /^Tarif: Pro .*Postfächer: 5/],
    ["Und Start?", /^Tarif: Start /],
    ["Und Ultra?", /^(?!Tarif: Pro)/],
    ["Und wie lange läuft das?", /^(?!Tarif: Pro)/],
  ])("to %j is that of the row that the earlier question names, unless it names another one", (question, expected) => {
    for (const content of [csv, markdown]) {
      const chunk = { number: 1, title: "Preise", source: "", sheet: "", heading: "", content };
      const earlierAnswers = "Tarif: Pro · Preis pro Monat: 12,50 € · Preis pro Jahr: 129,00 € · Postfächer: 5 [1]";
      const conversation = { context: `${question} (${price})`, earlierQuestions: [price], earlierAnswers };
      expect(answerFromChunks(question, [chunk], conversation)).toMatch(expected);
    }
  });

  it("is that of the row that was named last", () => {
    const question = "Und wie viele Postfächer hat er?";
    const earlierQuestions = [price, "Und der Start-Tarif?"];
    for (const content of [csv, markdown]) {
      const chunk = { number: 1, title: "Preise", source: "", sheet: "", heading: "", content };
      const text = answerFromChunks(question, [chunk], {
        context: `${question} (${earlierQuestions.join(" ")})`,
        earlierQuestions,
      });
      expect(text).toMatch(/^Tarif: Start (?!.*Tarif: Pro)/s);
    }
  });
});

describe("an answer from a long table whose rows have numbers", () => {
  const rows = Array.from({ length: 30 }, (_, at) => `${1_200 + at};Name ${at};Lager;${2_000 + at}`).join("\n");
  const columns = "Personalnr;Name;Abteilung;Gehalt";

  it.each(["Welches Gehalt hat Personalnr 1207?", "Was verdient die Personalnr 1207?", "Personalnr 1207"])(
    "to %j is the row with the number",
    (question) => {
      const row = "Personalnr: 1207 · Name: Name 7 · Abteilung: Lager · Gehalt: 2007 [1]";
      expect(answer(question, rows, columns)).toBe(row);
    },
  );

  it("to a number that it lacks is none, in the question's language", () => {
    const none = "[0] Die Dokumente beantworten diese Frage nicht.";
    expect(answer("Was verdient die Personalnr 7777?", rows, columns)).toBe(none);
    expect(answer("Wer hat das Gehalt 1207?", rows, columns)).toBe(none);
  });
});
