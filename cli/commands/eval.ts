import { KnowledgeClient } from "@agent-backends/client";
import type { Context } from "../command.ts";
import { defineCommand, exitCodes, UsageError } from "../command.ts";
import { connect, requireNamespaces } from "../connect.ts";
import type { QuestionResult, Scores, Setting } from "../eval/evaluate.ts";
import { evaluate } from "../eval/evaluate.ts";
import { readQuestions } from "../eval/questions.ts";
import { namespaceOption, parseScore, parseWholeNumber } from "../options.ts";
import { Progress } from "../terminal/progress.ts";

const defaultMaxResults = "6";
const settings = ["namespace", "max-results", "min-score", "url"] as const;
type Given = Partial<Record<(typeof settings)[number], string>> & { key?: string };

const labels: Readonly<Record<keyof Scores, string>> = {
  hit_rate: "hit rate",
  ndcg: "nDCG",
  mrr: "mean reciprocal rank",
  exact_citations: "citations with an exact quote",
  right_citations: "citations of a correct source",
  right_refusals: "correctly answered or refused",
};

export const evaluation = defineCommand({
  name: "eval",
  summary: "Measure search and answers with your own questions, and compare two settings",
  arguments: "<questions.jsonl>",
  completes: "file",
  service: "knowledge",
  details: `Each line of the file is {"question": …} with "sources", the sources that answer it or the ends of their names, with "quote", words that the
right chunk contains, or with both. "sources": [] means that nothing answers it. --versus compares with a second setting, which has other
values for one or more of these: ${settings.join(", ")}.`,
  options: {
    ...namespaceOption,
    "max-results": {
      type: "string",
      short: "m",
      value: "N",
      description: `number of results per question (default: ${defaultMaxResults})`,
    },
    "min-score": { type: "string", value: "0…1", description: "leave out results with a lower similarity" },
    versus: { type: "string", multiple: true, value: "SETTING=VALUE", description: "compare with this setting" },
    answers: { type: "boolean", description: "ask the librarian too, and check its citations; costs tokens" },
    "min-hit-rate": {
      type: "string",
      value: "0…1",
      description: "fail if the hit rate is lower, for automated checks",
    },
  },
  examples: [
    "agents eval questions.jsonl --namespace manuals",
    "agents eval questions.jsonl --namespace manuals --answers --min-hit-rate 0.9",
    "agents eval questions.jsonl --namespace manuals --versus namespace=manuals-v2",
    "agents eval questions.jsonl --max-results 6 --versus max-results=12 --versus min-score=0.1",
  ],
  async run({ values, positionals: [path, ...others] }, context) {
    if (path === undefined || others.length > 0) throw new UsageError("Name one file: agents eval questions.jsonl");
    const { out, signal, now } = context;
    const first: Given = { ...values };
    const chosen = [first, ...(values.versus ? [{ ...first, ...parseVersus(values.versus) }] : [])].map((given) =>
      toSetting(given, context),
    );
    const questions = await readQuestions(path);
    const minHitRate = parseScore(values["min-hit-rate"], "--min-hit-rate");
    const progress = new Progress(out, { items: questions.length * chosen.length, bytes: 0, now });
    const measured: { scores: Scores; results: QuestionResult[] }[] = [];
    try {
      for (const setting of chosen) {
        const options = { answers: values.answers === true, signal, onQuestion: () => progress.add(0) };
        const result = await evaluate(questions, setting, options);
        if (!(result.scores.hit_rate > 0)) await requireNamespaces(setting.client, [setting.namespace], signal);
        measured.push(result);
      }
    } finally {
      progress.close();
    }
    const described = chosen.map(({ namespace, maxResults, minScore }) => ({
      namespace,
      max_results: maxResults,
      min_score: minScore,
    }));
    out.result(
      { questions: questions.length, settings: measured.map((one, index) => ({ ...described[index], ...one })) },
      format(measured, described, out),
    );
    const isTooLow = measured.some(({ scores }) => minHitRate !== undefined && !(scores.hit_rate >= minHitRate));
    if (isTooLow) out.note(`The hit rate is below ${minHitRate}.`);
    return isTooLow ? exitCodes.failed : exitCodes.ok;
  },
});

function parseVersus(pairs: readonly string[]): Given {
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, value] = /^([\w-]+)=(.+)$/.exec(pair) ?? [];
      const setting = settings.find((known) => known === name?.replaceAll("_", "-"));
      if (setting === undefined) throw new UsageError(`--versus ${pair} is unknown; use ${settings.join("=…, ")}=….`);
      return [setting, value];
    }),
  );
}

function toSetting(given: Given, { environment, fetch }: Context): Setting {
  return {
    client: new KnowledgeClient({ ...connect("knowledge", given, environment), fetch }),
    namespace: given.namespace ?? "default",
    maxResults: parseWholeNumber(given["max-results"] ?? defaultMaxResults, "max-results", { min: 1, max: 50 }),
    minScore: parseScore(given["min-score"], "min-score"),
  };
}

function format(
  measured: readonly { scores: Scores; results: QuestionResult[] }[],
  settings: readonly object[],
  out: Context["out"],
): string {
  const [first, second] = measured;
  if (!first) return "";
  const describe = (setting: object = {}) =>
    Object.entries(setting)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name.replaceAll("_", "-")}=${value}`]))
      .join(" ");
  const questions = `${first.results.length} questions`;
  const heading = second
    ? [`${questions}, by two settings:`, `  first   ${describe(settings[0])}`, `  second  ${describe(settings[1])}`]
    : [`${questions}, ${describe(settings[0])}`];
  const width = Math.max(...Object.values(labels).map(({ length }) => length)) + 2;
  const cell = (value: number) => (Number.isNaN(value) ? "–" : value.toFixed(3)).padStart(8);
  const lines = (Object.keys(first.scores) as (keyof Scores)[]).map((name) => {
    const [one = Number.NaN, other] = [first.scores[name], second?.scores[name]];
    const difference =
      other === undefined ? "" : `${cell(other)}  ${other >= one ? "+" : ""}${(other - one).toFixed(3)}`;
    return `${labels[name].padEnd(width)}${cell(one)}${difference}`;
  });
  if (!second) return [...heading, ...lines, ...listMisses(first.results, out)].join("\n");
  const better = first.results.filter(({ ndcg = 0 }, index) => (second.results[index]?.ndcg ?? 0) > ndcg);
  const worse = first.results.filter(({ ndcg = 0 }, index) => (second.results[index]?.ndcg ?? 0) < ndcg);
  return [
    ...heading,
    `${"".padEnd(width)}   first  second`,
    ...lines,
    `${better.length} questions better, ${worse.length} worse`,
    ...worse.map(({ question }) => `  worse: ${question}`),
  ].join("\n");
}

function listMisses(results: readonly QuestionResult[], out: Context["out"]): string[] {
  const list = (what: string, missed: QuestionResult[]) =>
    missed.map(({ question }) => `${out.style("red", `${what}:`)} ${question}`);
  const wrong = results.filter((result) => result.rightly_answered_or_refused === false);
  return [
    ...list(
      "missed",
      results.filter(({ hit }) => hit === 0),
    ),
    // Questions that nothing answers have no `hit`.
    ...list(
      "refused, although it can be answered",
      wrong.filter(({ hit }) => hit !== undefined),
    ),
    ...list(
      "answered, although no source answers it",
      wrong.filter(({ hit }) => hit === undefined),
    ),
  ];
}
