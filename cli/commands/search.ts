import type { SearchResponse } from "@agent-backends/client";
import { KnowledgeClient } from "@agent-backends/client";
import type { Context } from "../command.ts";
import { defineCommand } from "../command.ts";
import { connect, requireNamespaces } from "../connect.ts";
import { parseFilter, parseScore, parseWholeNumber, requireText, searchScope, searchScopeOptions } from "../options.ts";
import { describePlace, oneLine } from "../terminal/citations.ts";

const maxContentCharacters = 300;

export const search = defineCommand({
  name: "search",
  summary: "Search the chunks of a namespace",
  arguments: "<query>",
  service: "knowledge",
  options: {
    ...searchScopeOptions,
    "max-results": {
      type: "string",
      short: "m",
      value: "N",
      description: "maximum number of results, 1 to 50 (default: 6)",
    },
    "min-score": { type: "string", value: "0…1", description: "leave out results with a lower similarity" },
    full: { type: "boolean", description: "show whole chunks" },
  },
  examples: ["agents search refunds", "agents search --namespace manuals --max-results 20 --full leaking pump"],
  async run({ values, positionals }, { out, environment, fetch, signal }) {
    const client = new KnowledgeClient({ ...connect("knowledge", values, environment), fetch });
    const maxResults = values["max-results"];
    const minScore = parseScore(values["min-score"], "--min-score");
    const response = await client.search(
      {
        ...searchScope(values),
        query: requireText(positionals, "The query", "agents search refunds"),
        max_results:
          maxResults === undefined ? undefined : parseWholeNumber(maxResults, "--max-results", { min: 1, max: 50 }),
        min_score: minScore,
        filter: parseFilter(values.filter),
      },
      { signal },
    );
    if (response.results.length === 0) await requireNamespaces(client, values.namespace, signal);
    // Other commands show a document's source at the same level as its title.
    const results = response.results.map((result) => ({ source: result.metadata.source, ...result }));
    out.result({ ...response, results }, format(response, { isFull: values.full === true, minScore }, out));
  },
});

function format(
  { results, namespace }: SearchResponse,
  { isFull, minScore }: { isFull: boolean; minScore: number | undefined },
  out: Context["out"],
): string {
  const limit = minScore === undefined ? "" : ` with a similarity of ${minScore} or more`;
  if (results.length === 0) return `Nothing found in ${namespace}${limit}.`;
  return results
    .map(({ title, content, score, similarity, metadata, ...result }, index) => {
      const scores = [
        `score ${score.toFixed(2)}`,
        similarity === undefined ? "" : `similarity ${similarity.toFixed(2)}`,
      ];
      const namespaceOfResult = "namespace" in result ? String(result.namespace) : "";
      const place = [namespaceOfResult, metadata.source, describePlace(metadata), ...scores]
        .filter(Boolean)
        .join(" · ");
      return [
        `${out.style("cyan", `${index + 1}.`)} ${out.style("bold", title)} ${out.style("dim", place)}`,
        isFull ? content : `   ${oneLine(content, maxContentCharacters)}`,
      ].join("\n");
    })
    .join(isFull ? "\n\n" : "\n");
}
