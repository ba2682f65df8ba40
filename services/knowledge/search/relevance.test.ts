import { lexicalEmbedding } from "@agent-backends/llm/offline";
import { expect, it } from "vitest";
import type { Hit } from "./hybrid-search.ts";
import { findRelevantHits } from "./relevance.ts";

function hit(text: string, similarity?: number): Hit {
  const document = { id: text, hash: "", title: "", source: "text:0", ingestedAt: "2026-01-01T00:00:00.000Z" };
  const place = { index: 0, start: 0, end: text.length, text, searchText: text };
  return { document, ...place, score: 1, ...(similarity !== undefined && { similarity }) };
}

const cosine = (one: string, other: string) => {
  const vector = lexicalEmbedding(other);
  return lexicalEmbedding(one).reduce((sum, value, position) => sum + value * (vector[position] ?? 0), 0);
};

it.each([
  ["says it in the question's words", "When are refunds paid?", "Refunds are paid within 30 days.", true],
  [
    "holds the words in other forms",
    "how do I configure the heartbeat",
    "Configuring heartbeats: set STREAM_HEARTBEAT_MS.",
    true,
  ],
  [
    "shares only small words",
    "What is the capital of Mongolia?",
    "This is the list of the things that we have.",
    false,
  ],
  [
    "shares one word of several",
    "Who won the football world cup in 2018?",
    "Hello world, said the parrot to the postman.",
    false,
  ],
  ["holds one of two words", "darf ich meinen hund mitbringen?", "Haustiere: Hunde sind freitags willkommen.", true],
  [
    "holds what is asked in another sentence",
    "結婚したら何日休める?",
    "慶弔休暇は結婚の場合5日、忌引は最大7日とする。",
    true,
  ],
  [
    "holds one name of a long question",
    "Есть ли у кого-нибудь опыт с прибором Вымпел, например в походе по горам зимой?",
    "Вымпел весит три килограмма.",
    true,
  ],
])("with lexical vectors, a chunk that %s is judged rightly", async (_what, question, text, isRelevant) => {
  const hits = findRelevantHits(question, [hit(text, cosine(question, text))]);
  expect(hits).toHaveLength(isRelevant ? 1 : 0);
});

it("a chunk that says it in other words is relevant by its vector alone", async () => {
  const chunk = "Customers get their money back within a month.";
  expect(findRelevantHits("refund deadline", [hit(chunk, 0.45)])).toHaveLength(1);
  expect(findRelevantHits("refund deadline", [hit(chunk, 0.1)])).toHaveLength(0);
});

it("those that have anything in common go with a relevant one, in their order", () => {
  const hits = [
    hit("elephants", 0.15),
    hit("refunds one", 0.3),
    hit("zebras", 0.01),
    hit("lions", 0.15),
    hit("refunds two"),
  ];
  expect(findRelevantHits("refunds", hits).map(({ text }) => text)).toEqual([
    "elephants",
    "refunds one",
    "lions",
    "refunds two",
  ]);
  expect(findRelevantHits("refunds", [hit("elephants", 0.15)])).toEqual([]);
});

it("a question of small words alone asks for nothing", () => {
  expect(findRelevantHits("what is it?", [hit("What it is.", 0.05)])).toEqual([]);
});

it.each([
  ["German", "Welche Gebühren gelten?", "Die Gebühr beträgt 12 Euro."],
  ["German compounds", "Wie lang ist die Frist der Kündigung?", "Kündigungsfristen: drei Monate"],
  ["Spanish", "¿Cuánto tardan las devoluciones?", "La devolución tarda diez días."],
  ["Arabic", "ما مدة الضمان؟", "والضمان سنتان، ومدته ثابتة."],
])("a chunk that was found by its words alone is relevant in %s", (_language, question, text) => {
  expect(findRelevantHits(question, [hit(text)])).toHaveLength(1);
});
