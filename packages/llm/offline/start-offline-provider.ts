import type { EndpointRoute } from "../endpoint/endpoint-request.ts";
import type { Responder, RunningEndpoint } from "../endpoint/start-endpoint.ts";
import { startEndpoint } from "../endpoint/start-endpoint.ts";
import { respondToChat } from "./chat-responder.ts";
import { respondWithLexicalEmbeddings } from "./embeddings-responder.ts";

const models = { object: "list", data: [{ id: "offline", object: "model", created: 0, owned_by: "offline" }] };

/**
 * Starts the offline provider: an OpenAI-compatible endpoint that needs no key and no model. It extracts, counts and
 * compares words, and does not pretend to think. Any model name is accepted. Listens on 127.0.0.1 and a free
 * port unless told otherwise; rejects when it can't.
 */
export function startOfflineProvider(
  options: { host?: string; port?: number; now?: () => number } = {},
): Promise<RunningEndpoint> {
  const responders: Record<EndpointRoute, Responder> = {
    chat: respondToChat(options.now ?? Date.now),
    embeddings: respondWithLexicalEmbeddings,
    models: async (_request, reply) => reply.json(200, models),
  };
  return startEndpoint((request, reply) => responders[request.route](request, reply), options);
}
