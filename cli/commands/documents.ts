import { KnowledgeClient } from "@agent-backends/client";
import type { Context, Values } from "../command.ts";
import { CommandError, defineCommand, exitCodes, UsageError } from "../command.ts";
import { connect } from "../connect.ts";
import { filterOption, namespaceOption, parseFilter, parseWholeNumber } from "../options.ts";
import { formatCount } from "../terminal/progress.ts";

const actions = ["list", "show", "delete", "namespaces"] as const;

const options = {
  ...namespaceOption,
  source: {
    type: "string",
    value: "SOURCE",
    description: "list: only documents from this source, such as file:a/README.md",
  },
  filter: { ...filterOption.filter, description: `list: ${filterOption.filter.description}` },
  limit: { type: "string", value: "N", description: "list: maximum number of documents (default: all)" },
} as const;

export const documents = defineCommand({
  name: "documents",
  summary: "List, show and delete documents, and list namespaces",
  arguments: "[list | show ID | delete ID… | namespaces]",
  completes: actions,
  service: "knowledge",
  options,
  examples: [
    "agents documents --namespace manuals",
    "agents documents show cd43dec0681431866dd93cfdb524f420 --namespace manuals",
    "agents documents delete cd43dec0681431866dd93cfdb524f420 --namespace manuals",
    "agents documents namespaces",
  ],
  async run({ values, positionals: [given = "list", ...ids] }, context) {
    const { environment, fetch } = context;
    const client = new KnowledgeClient({ ...connect("knowledge", values, environment), fetch });
    const action = actions.find((known) => known === given);
    if (!action) throw new UsageError(`"${given}" is unknown; use one of ${actions.join(", ")}.`);
    const takesIds = action === "show" ? ids.length === 1 : action === "delete" ? ids.length > 0 : ids.length === 0;
    if (!takesIds) throw new UsageError("Use: agents documents [list | show ID | delete ID… | namespaces]");
    return runs[action](client, values, ids, context);
  },
});

function describeNone(namespace: string, { source, filter }: Values<typeof options>): string {
  if (source === undefined && filter === undefined) return `There are no documents in ${namespace}.`;
  const conditions = [
    ...(source === undefined ? [] : [`the source "${source}"`]),
    ...(filter === undefined ? [] : [`the fields ${filter.join(" ")}`]),
  ];
  const hasKind = source === undefined || /^(?:file|url|text|markdown):/.test(source);
  const hint = hasKind ? "" : " Sources of files begin with file:, those of pages with url:, such as file:a/README.md.";
  return `No document in ${namespace} has ${conditions.join(" and ")}.${hint}`;
}

type Run = (
  client: KnowledgeClient,
  values: Values<typeof options>,
  ids: readonly string[],
  context: Context,
) => Promise<number | undefined>;

const runs: Record<(typeof actions)[number], Run> = {
  async list(client, values, _, { out, signal }) {
    const namespace = values.namespace ?? "default";
    const most =
      values.limit === undefined
        ? undefined
        : parseWholeNumber(values.limit, "--limit", { min: 1, max: 1_000_000_000 });
    const query = { source: values.source, filter: parseFilter(values.filter), limit: Math.min(most ?? 100, 100) };
    const found = [];
    for await (const document of client.documents(namespace, query, { signal })) {
      found.push(document);
      // Print each line while the list is still being read.
      const { document_id, title, source, chunks } = document;
      out.write(`${document_id}  ${title}  ${out.style("dim", `${source} · ${formatCount(chunks, "chunk")}`)}\n`);
      if (found.length === most) break;
    }
    out.result({ namespace, documents: found }, found.length === 0 ? describeNone(namespace, values) : "");
  },
  async show(client, { namespace = "default" }, [id = ""], { out, signal }) {
    const document = await client.getDocument(namespace, id, { signal });
    out.result(document, document.text);
  },
  async delete(client, { namespace = "default" }, ids, { out, signal }) {
    const deleted: string[] = [];
    const missing: string[] = [];
    for (const id of ids) ((await client.deleteDocument(namespace, id, { signal })) ? deleted : missing).push(id);
    out.result({ namespace, deleted, missing }, deleted.map((id) => `Deleted ${id}.`).join("\n"));
    if (missing.length === 0) return undefined;
    throw new CommandError(`There is no document ${missing.join(", ")} in ${namespace}.`, exitCodes.failed);
  },
  async namespaces(client, _, __, { out, signal }) {
    const found = [];
    for await (const namespace of client.namespaces({}, { signal })) found.push(namespace);
    const lines = found.map(
      ({ namespace, documents, chunks }) =>
        `${namespace}  ${formatCount(documents, "document")}, ${formatCount(chunks, "chunk")}`,
    );
    out.result({ namespaces: found }, lines.join("\n") || "There are no namespaces.");
  },
};
