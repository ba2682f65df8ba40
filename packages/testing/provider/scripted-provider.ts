import { EventEmitter, once } from "node:events";
import type { EndpointReply, EndpointRequest, EndpointRoute } from "@agent-backends/llm";
import { startEndpoint } from "@agent-backends/llm";
import { respondWithLexicalEmbeddings } from "@agent-backends/llm/offline";
import type { ScriptedAnswer } from "./answers.ts";
import { answer } from "./answers.ts";

/** One answer for every call, a list with one answer per call (the last one repeats), or a function of the request. */
export type Script = ScriptedAnswer | ScriptedAnswer[] | ((request: EndpointRequest, index: number) => ScriptedAnswer);

/** A call that the provider received. */
export interface RecordedRequest extends EndpointRequest {
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they assert.
  readonly body: any;
  /** True once the caller has closed the connection before the response was complete. */
  readonly aborted: boolean;
  /** Settles when the response is complete or the caller is gone. */
  readonly closed: Promise<void>;
}

export interface ScriptedProvider {
  readonly baseUrl: string;
  /** All calls of all routes, oldest first. */
  readonly requests: RecordedRequest[];
  readonly chatRequests: RecordedRequest[];
  readonly embeddingRequests: RecordedRequest[];
  /** Replaces the script of chat completions, and restarts the call index at 0. */
  script(script: Script): void;
  /** Replaces the script of embeddings. By default the offline embedder answers. */
  scriptEmbeddings(script: Script): void;
  /** Replaces the script of the model list. By default the list has the usual models, for calls with a key. */
  scriptModels(script: Script): void;
  /** Resolves with the last of `count` chat calls (default: one) once they have arrived. */
  chatRequest(count?: number): Promise<RecordedRequest>;
  close(): Promise<void>;
}

const usualModels = answer.models("gpt-4o", "gpt-4o-mini", "text-embedding-3-small");

/**
 * Starts an OpenAI-compatible server on a free loopback port that answers by script and records its requests. Without a script every chat
 * call gets the answer "Hello from the scripted provider.".
 */
export async function startScriptedProvider(
  options: { script?: Script; embeddings?: Script } = {},
): Promise<ScriptedProvider> {
  const requests: RecordedRequest[] = [];
  const arrivals = new EventEmitter().setMaxListeners(0);
  const byRoute = (route: EndpointRoute) => requests.filter((request) => request.route === route);
  const scripts: Record<EndpointRoute, (request: EndpointRequest) => ScriptedAnswer> = {
    chat: player(options.script ?? answer.text("Hello ", "from ", "the ", "scripted ", "provider.")),
    embeddings: player(options.embeddings ?? { respond: respondWithLexicalEmbeddings }),
    models: player((request) => (request.headers.authorization ? usualModels : answer.error(401, "No key was sent."))),
  };

  const endpoint = await startEndpoint(async (request: EndpointRequest, reply: EndpointReply) => {
    const { promise: closed, resolve: close } = Promise.withResolvers<void>();
    request.signal.addEventListener("abort", () => close(), { once: true });
    requests.push({
      ...request,
      closed,
      get aborted() {
        return request.signal.aborted;
      },
    });
    arrivals.emit("request");
    try {
      await scripts[request.route](request).respond(request, reply);
    } finally {
      close();
    }
  });

  return {
    baseUrl: endpoint.baseUrl,
    requests,
    get chatRequests() {
      return byRoute("chat");
    },
    get embeddingRequests() {
      return byRoute("embeddings");
    },
    script: (script) => {
      scripts.chat = player(script);
    },
    scriptEmbeddings: (script) => {
      scripts.embeddings = player(script);
    },
    scriptModels: (script) => {
      scripts.models = player(script);
    },
    async chatRequest(count = 1) {
      for (;;) {
        const request = byRoute("chat")[count - 1];
        if (request) return request;
        await once(arrivals, "request");
      }
    },
    close: endpoint.close,
  };
}

function player(script: Script): (request: EndpointRequest) => ScriptedAnswer {
  let calls = 0;
  return (request) => {
    const index = calls++;
    if (typeof script === "function") return script(request, index);
    if (!Array.isArray(script)) return script;
    const chosen = script[Math.min(index, script.length - 1)];
    if (!chosen) throw new TypeError("A script needs at least one answer.");
    return chosen;
  };
}
