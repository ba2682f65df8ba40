import { limits } from "@agent-backends/contract";
import { TimeoutWatch } from "@agent-backends/kit/timeouts";
import type { ProviderCallObserver, ProviderOptions } from "../provider.ts";
import { Provider } from "../provider.ts";
import type { ConfiguredModel } from "../status/failure.ts";
import type { ProviderReport } from "../status/provider-status.ts";
import { ProviderStatus } from "../status/provider-status.ts";
import type {
  AskedProvider,
  ProviderRequest,
  ProviderStream,
  StreamHandler,
  WaitLimits,
} from "../transport/provider-stream.ts";
import { ChatProvider } from "./chat-provider.ts";
import type { CircuitBreaker } from "./circuit-breaker.ts";
import type { FallbackLog } from "./fallback-completion.ts";
import { FallbackCompletion } from "./fallback-completion.ts";

/** A provider that is asked when the earlier ones can't answer. */
export interface FallbackOptions {
  baseUrl: string;
  /** An empty key sends no `Authorization`. */
  apiKey: string;
  model: string;
  /** Variable that holds the key, for messages to the operator. */
  keyVariable?: string | undefined;
}

interface ChatReport extends ProviderReport {
  circuit?: CircuitBreaker["state"];
  fallbacks?: ChatReport[];
}

/**
 * The providers of chat completions: the first one and its fallbacks. Embeddings never fall back, because vectors of different models can't
 * be compared. Without fallbacks, a call goes straight to the first provider.
 */
export class ChatProviders {
  readonly first: ChatProvider;
  /** Texts that no message to a client may contain. */
  readonly secrets: readonly string[];
  readonly #all: readonly ChatProvider[];
  readonly #fallbacks: readonly ChatProvider[];
  readonly #log: FallbackLog;
  readonly #waitLimits: WaitLimits;
  readonly #keyVariables: readonly (string | undefined)[];

  /**
   * @param options.models models that the first provider is used for, one of them for chat
   * @param options.fallbackAfterMs how long to wait for the head of an answer while another provider can be asked
   */
  constructor(options: {
    baseUrl: string;
    apiKey: string;
    models: readonly ConfiguredModel[];
    fallbacks: readonly FallbackOptions[];
    fallbackAfterMs: number;
    connection?: Omit<ProviderOptions, "baseUrl" | "apiKey">;
    now: () => number;
    log: FallbackLog;
  }) {
    const { now, connection } = options;
    const open = (baseUrl: string, apiKey: string, models: readonly ConfiguredModel[]) => {
      const provider = new Provider({ ...connection, baseUrl, apiKey });
      const { name: model = "" } = models.find(({ use }) => use === "chat") ?? {};
      return new ChatProvider({ provider, model, status: new ProviderStatus({ provider, models, now }), now });
    };
    this.first = open(options.baseUrl, options.apiKey, options.models);
    this.#fallbacks = options.fallbacks.map(({ baseUrl, apiKey, model }) =>
      open(baseUrl, apiKey, [{ use: "chat", name: model, variable: "LLM_FALLBACKS" }]),
    );
    this.#keyVariables = options.fallbacks.map(({ keyVariable }) => keyVariable);
    this.#all = [this.first, ...this.#fallbacks];
    this.#log = options.log;
    const headMs = Math.min(options.fallbackAfterMs, connection?.firstTokenTimeoutMs ?? Number.POSITIVE_INFINITY);
    this.#waitLimits = { head: new TimeoutWatch(headMs), retryWaitMs: limits.fallbackWaitMs };
    this.secrets = this.#all.flatMap(({ provider }) => provider.secrets);
  }

  get hasFallbacks(): boolean {
    return this.#fallbacks.length > 0;
  }

  /** Opens a streaming chat completion. Never throws, and never calls the handler before it returns. */
  openCompletion(request: ProviderRequest, handler: StreamHandler): ProviderStream {
    if (!this.hasFallbacks) return this.first.provider.openCompletion(request, handler);
    return new FallbackCompletion(request, handler, {
      providers: this.#all,
      patience: this.#waitLimits,
      log: this.#log,
    });
  }

  /** Wraps an observer so that the state of the provider that answers records its success or failure. */
  observe(observer: ProviderCallObserver): ProviderCallObserver {
    let asked: AskedProvider = this.first;
    let isProven = false;
    return {
      headers: observer.headers,
      requestId: observer.requestId,
      usage: (tokens) => observer.usage(tokens),
      finished: (reason) => observer.finished?.(reason),
      uncounted: (pieces, inputBytes) => observer.uncounted?.(pieces, inputBytes),
      unnamedCalls: (count) => {
        const about = { request_id: observer.requestId, provider: asked.name, count };
        this.#log.warn(about, "tool calls were left out, because the provider sent no name for them");
      },
      answeredBy(provider) {
        asked = provider;
        isProven = false;
        observer.answeredBy?.(provider);
      },
      firstToken() {
        if (!isProven) asked.succeeded();
        isProven = true;
        observer.firstToken();
      },
      ended(error) {
        asked.failed(error);
        observer.ended(error);
      },
    };
  }

  /** The state of all providers for `/ready`. */
  report(): ChatReport {
    const report = this.first.status.report();
    if (!this.hasFallbacks) return report;
    return {
      ...report,
      circuit: this.first.breaker.state,
      fallbacks: this.#fallbacks.map((fallback, position) => ({
        ...nameFallback(fallback.status.report(), this.#keyVariables[position]),
        circuit: fallback.breaker.state,
      })),
    };
  }

  /** Metrics of each provider, if there are several. */
  readings() {
    if (!this.hasFallbacks) return [];
    const forEach = (value: (provider: ChatProvider) => number) => ({
      label: "provider",
      read: () => Object.fromEntries(this.#all.map((provider) => [provider.name, value(provider)])),
    });
    return [
      {
        kind: "counter" as const,
        name: "provider_answers_total",
        help: "Answers that each provider began.",
        ...forEach(({ answers }) => answers),
      },
      {
        kind: "counter" as const,
        name: "provider_fallbacks_total",
        help: "Calls for which another provider was asked in this one's place.",
        ...forEach(({ fallbacks }) => fallbacks),
      },
      {
        kind: "gauge" as const,
        together: "max" as const,
        name: "provider_circuit_open",
        help: "1 while a provider is left alone because it failed, else 0.",
        ...forEach(({ breaker }) => Number(breaker.state !== "closed")),
      },
    ];
  }

  close(): void {
    for (const { status, provider } of this.#all) {
      status.close();
      provider.close();
    }
  }
}

/** Replaces the first provider's variables in a report. A fix that sets LLM_BASE_URL wouldn't help. */
function nameFallback({ fix, ...report }: ProviderReport, keyVariable = "its key"): ProviderReport {
  const helps = fix?.startsWith("LLM_API_KEY=") || fix?.startsWith("export ");
  return {
    ...report,
    ...(report.detail && {
      detail: report.detail.replaceAll("LLM_API_KEY", keyVariable).replaceAll("LLM_BASE_URL", "LLM_FALLBACKS"),
    }),
    ...(helps && { fix: fix?.replace("LLM_API_KEY", keyVariable) }),
  };
}
