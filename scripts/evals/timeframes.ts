// npm run eval:timeframes -- <file.jsonl>
// Each line: {id, category, timeframe, tz, now, expected: {postedAfter, postedBefore} | {error}, lenient?, lenient_note?, accept?}
import { z } from "zod";
import { TimeframeError } from "../../services/listing/timeframe/error.ts";
import { resolveTimeframe } from "../../services/listing/timeframe/resolve.ts";
import { judgeRows, readJsonLines, requireArgument } from "../json-lines.ts";

const windowSchema = z.object({ postedAfter: z.string(), postedBefore: z.string() });
const rowSchema = z.object({
  id: z.string(),
  category: z.string(),
  timeframe: z.string(),
  tz: z.string(),
  now: z.iso.datetime(),
  expected: z.union([windowSchema, z.object({ error: z.string() })]),
  lenient: z.boolean().optional(),
  lenient_note: z.string().optional(),
  accept: z.array(z.string()).optional(),
  accept_alternatives: z.array(z.union([windowSchema, z.object({ error: z.string() })])).optional(),
});
type Row = z.output<typeof rowSchema>;
type Outcome = z.output<typeof windowSchema> | { error: string };

function evaluate(row: Row): Outcome {
  try {
    const { postedAfter, postedBefore } = resolveTimeframe(row.timeframe, { timezone: row.tz, now: new Date(row.now) });
    return { postedAfter, postedBefore };
  } catch (error) {
    if (error instanceof TimeframeError) return { error: error.code };
    throw error;
  }
}

function isSame(one: Outcome, other: Outcome): boolean {
  if ("error" in one || "error" in other) return "error" in one && "error" in other && one.error === other.error;
  return one.postedAfter === other.postedAfter && one.postedBefore === other.postedBefore;
}

function isRight(row: Row, outcome: Outcome): boolean {
  if ([row.expected, ...(row.accept_alternatives ?? [])].some((expected) => isSame(expected, outcome))) return true;
  if ("error" in outcome) return row.lenient === true || row.accept?.includes("error") === true;
  // With a lenient note, supporting the phrase also counts as right. The data has no window for it.
  return row.lenient_note !== undefined && outcome.postedAfter < outcome.postedBefore;
}

const rows = readJsonLines(requireArgument("npm run eval:timeframes -- <file.jsonl>"), rowSchema);

await judgeRows(rows, {
  minShare: 1,
  group: ({ category }) => category,
  async judge(row) {
    const got = evaluate(row);
    if (!isRight(row, got)) {
      const what = `${row.id} ${JSON.stringify(row.timeframe)} in ${JSON.stringify(row.tz)} at ${row.now}`;
      return { what, expected: row.expected, got };
    }
    if (row.lenient_note !== undefined && !isSame(row.expected, got))
      console.log(`note  ${row.id} ${JSON.stringify(row.timeframe)}: supported as ${JSON.stringify(got)}`);
    return undefined;
  },
});
