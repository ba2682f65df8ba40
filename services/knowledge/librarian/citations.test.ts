import type { Citation } from "@agent-backends/contract";
import type { AnswerPart } from "@agent-backends/llm";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chunkText } from "../ingest/chunk.ts";
import { readMarkdown } from "../ingest/extract/formats/markdown.ts";
import type { Hit } from "../search/hybrid-search.ts";
import { answerQuestion } from "./answer.ts";

/** A fact that is stated once, and the section that states it. */
interface Fact {
  sentence: string;
  heading: string;
}

const towns = ["Aarau", "Basel", "Chur", "Davos", "Erlach", "Flims"];
const subjects = ["library", "harbour", "museum", "station", "bakery", "theatre"];

/** A document of short sections, several of which share a chunk. */
function readGuide(town: string, year: number): { hits: Hit[]; facts: Fact[] } {
  const facts = subjects.map((subject, position) => ({
    sentence: `The ${subject} of ${town} was opened in ${year + position} by ${position + 2} families.`,
    heading: `${town} > About the ${subject}`,
  }));
  const sections = facts.map(({ sentence, heading }) => {
    return `## ${heading.split(" > ")[1]}\n\nThis part is short. ${sentence} More is known to nobody.`;
  });
  const { text, marks } = readMarkdown(`# ${town}\n\n${sections.join("\n\n")}`);
  const document = { id: town, hash: "0".repeat(64), title: town, source: `file:${town}.md`, ingestedAt: "2026-01-01" };
  const hits = chunkText({ text, marks }, { maxCharacters: 500, minCharacters: 400 }).map((chunk) => {
    return { ...chunk, document, searchText: chunk.text, score: 1 };
  });
  return { hits, facts };
}

const guides = towns.map((town, position) => readGuide(town, 1800 + 10 * position));
const allHits = guides.flatMap(({ hits }) => hits);
const allFacts = guides.flatMap(({ facts }) => facts);

/** Answers by a model that writes `text`, in pieces of a few characters. */
async function answerWith(
  text: string,
  found: Hit[],
  size: number,
): Promise<{ content: string; citations: Citation[] }> {
  async function* askModel(): AsyncGenerator<AnswerPart> {
    for (let at = 0; at < text.length; at += size) yield { type: "text", text: text.slice(at, at + size) };
  }
  const answer = answerQuestion(
    { findChunks: async () => [found], isEmpty: async () => false, askModel },
    {
      messages: [{ role: "user", content: "What was opened?" }],
      namespace: "default",
      signal: new AbortController().signal,
    },
  );
  let content = "";
  let citations: Citation[] = [];
  for await (const event of answer) {
    if (event.type === "text") content += event.text;
    if (event.type === "citations") citations = event.citations;
  }
  return { content, citations };
}

/** The forms in which models write marks, for the numbers of one statement. */
const forms: ((numbers: readonly number[]) => string)[] = [
  (numbers) => numbers.map((n) => ` [${n}]`).join(""),
  (numbers) => numbers.map((n) => `[${n}]`).join(""),
  (numbers) => ` [${numbers.join(", ")}]`,
  (numbers) => ` [${numbers.join(";")}]`,
  (numbers) => numbers.map((n) => ` 【${n}†source】`).join(""),
  (numbers) => numbers.map((n) => `[^${n}]`).join(""),
  (numbers) => ` [${numbers[0]}-${Math.max(...numbers)}]`,
];

describe("citations", () => {
  const statement = fc.record({
    fact: fc.nat(allFacts.length - 1),
    // Numbers that no chunk has are among them.
    others: fc.array(fc.integer({ min: 1, max: 40 }), { maxLength: 2 }),
    form: fc.nat(forms.length - 1),
    isAfterStop: fc.boolean(),
  });

  it("agree with the marks of any answer in number, document and section", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray(allHits, { minLength: 4, maxLength: 6 }),
        fc.array(statement, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 30 }),
        async (found, statements, size) => {
          const stated = statements.flatMap(({ fact, others, form, isAfterStop }) => {
            const { sentence, heading } = allFacts[fact] as Fact;
            const n = found.findIndex(({ text }) => text.includes(sentence)) + 1;
            if (n === 0) return [];
            const marks = forms[form]?.([n, ...others]) ?? "";
            const text = isAfterStop ? `${sentence}${marks}` : `${sentence.slice(0, -1)}${marks}.`;
            return [{ n, text, sentence, heading }];
          });
          fc.pre(stated.length > 0);
          const { content, citations } = await answerWith(stated.map(({ text }) => text).join(" "), found, size);

          const marked = new Set([...content.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n)));
          expect(new Set(citations.map(({ n }) => n))).toEqual(marked);
          expect(content.replaceAll(/\[\d+\]/g, "")).not.toMatch(/[[\]【】]/);
          for (const { n, quote, document_id, start, end } of citations) {
            expect(found[n - 1]).toMatchObject({ text: quote, document: { id: document_id }, start, end });
          }
          for (const { n } of stated) {
            const {
              heading,
              quote,
              start,
              supporting = { start: 0, end: 0 },
            } = citations.find((one) => one.n === n) as Citation;
            const supported = quote.slice(supporting.start - start, supporting.end - start);
            const own = stated.filter((one) => one.n === n);
            expect(own.map(({ sentence }) => sentence)).toContain(supported);
            expect(heading).toBe(own.find(({ sentence }) => sentence === supported)?.heading);
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it("name the section where a chunk begins, and no sentence, for a statement of which it has no word", async () => {
    const [first] = allHits as [Hit];
    const { citations } = await answerWith("Vieles blieb unklar [1].", [first], 50);
    expect(citations).toMatchObject([{ n: 1, heading: first.heading }]);
    expect(citations[0]?.supporting).toBeUndefined();
  });
});
