// npm run eval:routing -- <file.jsonl>
// Each line: {id, message, action, params: {limit?, timeframe?, tz?, query?}, accept?, timeframe_accept?, query_accept?, expect_error?,
// now?, tz?}. Defaults: `now` is 2026-11-20T12:00:00Z, `tz` is UTC.
import { z } from "zod";
import type { Route } from "../../services/listing/routing/route.ts";
import { route } from "../../services/listing/routing/route.ts";
import { TimeframeError } from "../../services/listing/timeframe/error.ts";
import { resolveTimeframe } from "../../services/listing/timeframe/resolve.ts";
import { judgeRows, readJsonLines, requireArgument } from "../json-lines.ts";

const rowSchema = z.object({
  id: z.string(),
  message: z.string(),
  action: z.string(),
  params: z.object({
    limit: z.number().optional(),
    timeframe: z.string().optional(),
    tz: z.string().optional(),
    query: z.string().optional(),
  }),
  accept: z.array(z.string()).optional(),
  timeframe_accept: z.array(z.string()).optional(),
  query_accept: z.array(z.string()).optional(),
  expect_error: z.union([z.string(), z.boolean()]).optional(),
  now: z.iso.datetime().default("2026-11-20T12:00:00Z"),
  tz: z.string().default("UTC"),
});
type Row = z.output<typeof rowSchema>;

const minShare = 0.9;

/** The window of a timeframe, or its error code. */
function resolve(row: Row, timeframe: string, tz = row.tz): string {
  try {
    const { postedAfter, postedBefore } = resolveTimeframe(timeframe, { timezone: tz, now: new Date(row.now) });
    return `${postedAfter} ${postedBefore}`;
  } catch (error) {
    if (error instanceof TimeframeError) return error.code;
    throw error;
  }
}

/** Names of the parameters that differ from the row's. */
function wrongParameters(row: Row, got: Route): string[] {
  const { limit, timeframe, tz, query } = row.params;
  const wrong: string[] = [];
  const resolveWindow = (phrase: string, zone?: string) => resolve(row, phrase, zone);
  // The row's parameters belong to its first action. Other accepted actions have none.
  if (got.action !== row.action) return wrong;
  if (limit !== undefined && got.limit !== limit) wrong.push("limit");
  if (row.expect_error !== undefined) {
    const code = resolveWindow(got.timeframe ?? "today", got.tz);
    if (typeof row.expect_error === "string" ? code !== row.expect_error : code.includes(" ")) wrong.push("timeframe");
    return wrong;
  }
  if (timeframe !== undefined) {
    const windows = [timeframe, ...(row.timeframe_accept ?? [])].map((accepted) => resolveWindow(accepted, tz));
    if (got.timeframe === undefined || !windows.includes(resolveWindow(got.timeframe, got.tz))) wrong.push("timeframe");
  }
  if (tz !== undefined && resolveWindow("today", got.tz) !== resolveWindow("today", tz)) wrong.push("tz");
  if (query !== undefined) {
    const sent = (got.query ?? "").toLowerCase();
    if (![query, ...(row.query_accept ?? [])].some((fragment) => sent.includes(fragment.toLowerCase())))
      wrong.push("query");
  }
  return wrong;
}

const rows = readJsonLines(requireArgument("npm run eval:routing -- <file.jsonl>"), rowSchema);

let rightActions = 0;
await judgeRows(rows, {
  minShare,
  group: ({ action }) => action,
  async judge(row) {
    const got = route(row.message, { now: new Date(row.now), timezone: row.tz });
    const isRightAction = [row.action, ...(row.accept ?? [])].includes(got.action);
    const wrong = isRightAction ? wrongParameters(row, got) : ["action"];
    rightActions += Number(isRightAction);
    if (wrong.length === 0) return undefined;
    const expected = { action: row.action, ...row.params, expect_error: row.expect_error };
    return { what: `${wrong.join(", ")}: ${row.id} ${JSON.stringify(row.message)}`, expected, got };
  },
});
console.log(`action alone ${rightActions}/${rows.length} = ${((100 * rightActions) / rows.length).toFixed(1)} %`);
