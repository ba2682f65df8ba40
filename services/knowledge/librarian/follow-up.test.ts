import type { ConversationMessage } from "@agent-backends/contract";
import { expect, it } from "vitest";
import { contentTermsOf } from "../store/lance/analyser.ts";
import { searchOf } from "./follow-up.ts";

/** A conversation of questions and the answers between them. */
const conversation = (...turns: string[]): ConversationMessage[] =>
  turns.map((content, position) => ({ role: position % 2 === 0 ? "user" : "assistant", content }));
const search = (...turns: string[]) => searchOf(conversation(...turns), contentTermsOf);

it.each([
  ["the first question", ["And how much is it?"]],
  [
    "a question that says what it is about",
    ["What is the Pro plan?", "A plan [1].", "When do refunds reach my account?"],
  ],
  ["one in another language", ["Was ist der Pro-Plan?", "Ein Plan [1].", "Wann werden Erstattungen bezahlt?"]],
])("%s is searched for as it is", async (_what, turns) => {
  expect(await search(...turns)).toEqual({ query: turns.at(-1), variants: [] });
});

it.each([
  ["What is the Pro plan?", "And how much is it?"],
  ["What is the Pro plan?", "How much?"],
  ["What is the Pro plan?", "Why?"],
  ["What is the Pro plan?", "Und die Kosten für ein ganzes Jahr?"],
  ["Was ist der Pro-Plan?", "Welche Vorteile hat er für kleine Unternehmen?"],
  ["Qu'est-ce que le forfait Pro ?", "Combien coûte-t-il par mois pour une équipe ?"],
  ["¿Qué es el plan Pro?", "¿Cuánto cuesta eso para un equipo grande?"],
  ["什么是专业版?", "它每个月多少钱?"],
  ["Что такое тариф Про?", "Сколько он стоит в месяц для команды?"],
])("after %j, %j is searched for with what it is about", async (first, second) => {
  const { query, variants } = await search(first, "A plan for teams [1].", second);
  expect(query).toBe(`${second} (${first})`);
  expect(variants).toEqual([second, `${second} (A plan for teams.)`]);
});

it("a short question that may stand for itself is searched for as it is, and with what was said before besides", async () => {
  expect(await search("Hello", "Hello, what can I do?", "What is the refund window?")).toEqual({
    query: "What is the refund window?",
    variants: ["What is the refund window? (Hello)", "What is the refund window? (Hello, what can I do?)"],
  });
});

it("a chain of such questions is followed to where their subject was named, and no further", async () => {
  const { query } = await search(
    "Where is the office?",
    "There.",
    "What is the Pro plan for teams?",
    "A plan.",
    "How much is it?",
    "49.",
    "And yearly?",
  );
  expect(query).toBe("And yearly? (What is the Pro plan for teams? How much is it?)");
  const chain = Array.from({ length: 20 }, (_, turn) => (turn % 2 === 0 ? `Why ${turn}?` : "So."));
  expect((await search(...chain, "Why?")).query).toBe("Why? (Why 14? Why 16? Why 18?)");
});
