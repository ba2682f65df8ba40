import type { Citation, GenerateResponse } from "@agent-backends/client";
import { KnowledgeClient } from "@agent-backends/client";
import { defineCommand } from "../command.ts";
import { connect, requireNamespaces } from "../connect.ts";
import { parseFilter, requireText, searchScope, searchScopeOptions } from "../options.ts";
import { cutNotes, formatCitations } from "../terminal/citations.ts";

export const ask = defineCommand({
  name: "ask",
  summary: "Ask the documents of a namespace, and show the answer with its citations",
  arguments: "<question>",
  service: "knowledge",
  options: searchScopeOptions,
  examples: [
    'agents ask "When are refunds paid?"',
    'agents ask --namespace manuals --namespace tickets "Which pump leaks?"',
    'agents ask --filter year=2026 --json "What changed?"',
  ],
  async run({ values, positionals }, { out, environment, fetch, signal }) {
    const question = requireText(positionals, "The question", 'agents ask "When are refunds paid?"');
    const client = new KnowledgeClient({ ...connect("knowledge", values, environment), fetch });
    const request = {
      messages: [{ role: "user" as const, content: question }],
      ...searchScope(values),
      filter: parseFilter(values.filter),
    };
    if (out.isJson) {
      const answer = await client.generate(request, { signal });
      if (answer.citations.length === 0) await requireNamespaces(client, values.namespace, signal);
      out.result(answer, "");
      return undefined;
    }
    let citations: Citation[] = [];
    let cutReason: GenerateResponse["finish_reason"];
    let text = "";
    for await (const event of client.stream({ ...request, include_tool_events: true }, { signal })) {
      if (event.type === "text_delta") {
        text += event.content;
        out.write(event.content);
      }
      if (event.type === "citations") ({ citations, finish_reason: cutReason } = event);
    }
    out.write("\n");
    if (citations.length === 0) await requireNamespaces(client, values.namespace, signal);
    if (citations.length > 0) out.write(`\n${formatCitations(citations, text, out)}`);
    if (cutReason) out.note(cutNotes[cutReason]);
  },
});
