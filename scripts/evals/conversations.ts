// npm run eval:conversations -- <file.jsonl>
// Each line: {id, kind, now, default_tz, tz, messages, expect: {action?, limit?, timeframe?, query?, order?, particleCount?, fires_confetti?}}.
// Evaluates the answer to the last message. Fields that `expect` lacks are not compared.
import { z } from "zod";
import { planAnswer } from "../../services/listing/answer/plan.ts";
import { routeConversation } from "../../services/listing/routing/conversation.ts";
import { isTimezone } from "../../services/listing/timeframe/timezone.ts";
import type { ListingSource } from "../../services/listing/upstream/source.ts";
import { judgeRows, readJsonLines, requireArgument } from "../json-lines.ts";

const rowSchema = z.object({
  id: z.string(),
  kind: z.string(),
  now: z.iso.datetime(),
  default_tz: z.string(),
  tz: z.string().nullable(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })).min(1),
  expect: z.object({
    action: z.string().optional(),
    limit: z.number().optional(),
    timeframe: z
      .object({ postedAfter: z.string().optional(), postedBefore: z.string().optional(), tz: z.string().optional() })
      .optional(),
    query: z.string().optional(),
    order: z.enum(["asc", "desc"]).optional(),
    particleCount: z.number().optional(),
    fires_confetti: z.boolean().optional(),
  }),
});
type Row = z.output<typeof rowSchema>;

const maxItems = 5;
const minShare = 0.9;
const source: ListingSource = {
  name: "none",
  known: () => undefined,
  ask: async () => ({ products: [], complete: true, status: "empty", asOf: new Date(0) }),
};

/** Answers a row, in the fields of `expect`. */
async function answerRow({ now, default_tz: timezone, tz, messages }: Row) {
  const question = {
    message: messages.at(-1)?.content ?? "",
    history: messages.slice(0, -1),
    toolParameters: tz === null ? {} : { tz },
    threadId: undefined,
    runId: undefined,
  };
  const plan = planAnswer(
    question,
    (turns, { timezone: wanted, countShown }) =>
      routeConversation(turns, {
        now: new Date(now),
        timezone: wanted !== undefined && isTimezone(wanted) ? wanted : timezone,
        countShown,
      }),
    { source, timezone, maxItems, now: () => Date.parse(now) },
  );
  if ("refusal" in plan) return { action: "refusal", fires_confetti: false };
  const payload = await plan.calls[0]?.run();
  if (payload === undefined) return { action: "advice", fires_confetti: false };
  const isConfetti = payload.action === "CONFETTI";
  return {
    ...payload,
    action: isConfetti ? "confetti" : payload.action,
    order: "ascending" in payload ? "asc" : "desc",
    fires_confetti: isConfetti,
  };
}

const canonical = (tz: unknown): string =>
  new Intl.DateTimeFormat("en", { timeZone: String(tz) }).resolvedOptions().timeZone;

function matches(name: string, wanted: unknown, got: unknown): boolean {
  if (name === "tz") return canonical(wanted) === canonical(got);
  if (name === "query") return String(got).toLowerCase().includes(String(wanted));
  if (typeof wanted !== "object" || wanted === null) return wanted === got;
  return Object.entries(wanted).every(([field, value]) =>
    matches(field, value, (got as Record<string, unknown>)?.[field]),
  );
}

const rows = readJsonLines(requireArgument("npm run eval:conversations -- <file.jsonl>"), rowSchema);

await judgeRows(rows, {
  minShare,
  group: ({ kind }) => kind,
  async judge(row) {
    const got: Record<string, unknown> = await answerRow(row);
    const wrong = Object.entries(row.expect).filter(([name, wanted]) => !matches(name, wanted, got[name]));
    if (wrong.length === 0) return undefined;
    const said = row.messages.filter(({ role }) => role === "user").map(({ content }) => content.slice(0, 80));
    const names = wrong.map(([name]) => name).join(", ");
    const what = `${names}: ${row.id} ${JSON.stringify(said)} at ${row.now}, tz ${row.tz}`;
    return { what, expected: row.expect, got };
  },
});
