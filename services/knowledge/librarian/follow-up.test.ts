import type { ConversationMessage } from "@agent-backends/contract";
import { expect, it } from "vitest";
import { buildSearch } from "./follow-up.ts";

/** A conversation of questions and the answers between them. */
const conversation = (...turns: string[]): ConversationMessage[] =>
  turns.map((content, position) => ({ role: position % 2 === 0 ? "user" : "assistant", content }));
const search = (...turns: string[]) => buildSearch(conversation(...turns));

it.each([
  ["the first question", ["And how much is it?"]],
  [
    "a question that says what it is about",
    ["What is the Pro plan?", "A plan [1].", "When do refunds reach my account?"],
  ],
  [
    "one in another language",
    ["Was ist der Pro-Plan?", "Ein Plan [1].", "Wann werden die Erstattungen an Kunden bezahlt?"],
  ],
  [
    "one that begins like a word for 'and' elsewhere",
    ["Que dit le contrat ?", "Ceci.", "En quelle année la société a été fondée ?"],
  ],
  [
    "one with an English article",
    ["What is the Pro plan?", "A plan.", "A customer wants to return a lamp after four weeks, what then?"],
  ],
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
  ["What plans are there?", "What about the second one?"],
  ["What plans are there?", "How about a plan for large teams abroad?"],
  ["Quali sono i piani?", "E per gli studenti?"],
  ["Quali sono i piani?", "E quanto costa per i bambini sotto i dieci anni di età?"],
  ["Quais são os planos?", "E a renovação da licença de software para empresas?"],
  ["Jakie są plany?", "A ile kosztuje bilet dla dzieci do lat dziesięciu?"],
  ["Welke abonnementen zijn er?", "En hoeveel kost het abonnement voor studenten met een beurs?"],
  ["Quali sono i piani?", "Per quanto tempo?"],
  ["Qu'est-ce que le forfait Pro ?", "Combien de temps ?"],
  ["Welke abonnementen zijn er?", "En voor studenten?"],
  ["Jaké jsou tarify?", "A pro studenty?"],
  ["Welche Tarife gibt es?", "Was ist mit dem zweiten Tarif für Studenten?"],
  ["有哪些套餐?", "学生呢?"],
  ["ما هي الخطط؟", "وماذا عن الطلاب في السنة الأولى؟"],
  ["요금제가 무엇인가요?", "그럼 학생 할인은 얼마인가요?"],
])("after %j, %j is searched for with what it is about", async (first, second) => {
  const { query, variants } = await search(first, "A plan for teams [1].", second);
  expect(query).toBe(`${second} (${first})`);
  expect(variants).toEqual([second, `${second} (A plan for teams.)`]);
});

it.each(["Quelle durée maximale ?", "Per quanto tempo al massimo?", "Explain the second point"])(
  "%j, which hardly says what it is about, is searched for with what was said before besides",
  async (question) => {
    const { query, variants } = await search("What is the Pro plan?", "A plan.", question);
    expect(query).toBe(question);
    expect(variants).toContain(`${question} (What is the Pro plan?)`);
  },
);

it("a short question is searched for alone and together with the earlier messages", async () => {
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
