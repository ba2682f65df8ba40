import type { KnowledgeRunParameters } from "@agent-backends/contract";
import { knowledgeRunParametersSchema, knowledgeRunQuerySchema, problems } from "@agent-backends/contract";
import { describeContext } from "@agent-backends/kit/ag-ui";
import type { AgUiAgent } from "@agent-backends/kit/ag-ui/routes";
import { searchTool } from "../librarian/answer.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { answer, requireQuestion } from "./librarian-routes.ts";
import { requireNamespaces } from "./search-route.ts";

/** The librarian for AG-UI clients. */
export function createAgUiAgent(dependencies: KnowledgeDependencies): AgUiAgent<KnowledgeRunParameters> {
  return {
    name: "Knowledge librarian",
    description: "Answers questions from the documents of a namespace, with citations.",
    tools: [searchTool],
    callsClientTools: false,
    query: knowledgeRunQuerySchema,
    parameters: knowledgeRunParametersSchema,
    prepare({ request, input, profile, conversation, parameters }) {
      const place = parameters.find(({ namespace, namespaces }) => (namespace ?? namespaces) !== undefined);
      const namespace = requireNamespaces(request, place ?? {});
      const filter = parameters.find((given) => given.filter !== undefined)?.filter;
      if (conversation.at(-1)?.role !== "user") throw problems.lastMessageNotUser();
      const context = profile === "contract" ? [] : describeContext(input.context);
      const messages = [...context, ...conversation];
      requireQuestion(messages);
      const client = dependencies.guard.getClient(request);
      return (signal) => answer(dependencies, namespace, { messages, filter }, { client, signal });
    },
  };
}
