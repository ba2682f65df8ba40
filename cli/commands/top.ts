import type { SearchPayload, TopPayload, TopTimeframePayload } from "@agent-backends/client";
import { ListingClient } from "@agent-backends/client";
import { defineCommand } from "../command.ts";
import { connect } from "../connect.ts";
import { parseWholeNumber } from "../options.ts";
import { alignTable } from "../terminal/table.ts";

export const top = defineCommand({
  name: "top",
  summary: "Show the top launches, of all time or of a time window",
  arguments: "[timeframe]",
  service: "listing",
  options: {
    limit: { type: "string", value: "N", description: "number of launches, 1 to 20 (default: 5)" },
    tz: { type: "string", value: "ZONE", description: "time zone of the timeframe, such as Europe/Berlin" },
    search: { type: "string", value: "WORDS", description: "search launches by words instead" },
  },
  examples: [
    "agents top",
    "agents top last week --limit 10",
    "agents top yesterday --tz Asia/Tokyo",
    "agents top from:2026-11-01 to:2026-11-07",
    "agents top --search notes",
  ],
  async run({ values, positionals }, { out, environment, fetch, signal }) {
    const client = new ListingClient({ ...connect("listing", values, environment), fetch });
    const limit =
      values.limit === undefined ? undefined : parseWholeNumber(values.limit, "--limit", { min: 1, max: 20 });
    const timeframe = positionals.join(" ").trim();
    const payload =
      values.search !== undefined
        ? await client.search({ query: values.search, limit }, { signal })
        : timeframe === ""
          ? await client.top({ limit }, { signal })
          : await client.topTimeframe({ timeframe, tz: values.tz, limit }, { signal });
    out.result(payload, format(payload, out.columns));
  },
});

/** Files and pipes get the Markdown table, with its links. */
function format(payload: TopPayload | TopTimeframePayload | SearchPayload, columns: number | undefined): string {
  const { reason, table } = payload;
  const hasRows = table.split("\n").length > 2;
  if (!hasRows) return `There are no launches to show${reason ? ` (${reason})` : ""}.`;
  return columns === undefined ? table : alignTable(table, columns);
}
