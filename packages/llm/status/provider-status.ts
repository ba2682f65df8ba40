import { limits } from "@agent-backends/contract";
import { ProxyError } from "@agent-backends/kit/egress";
import { ProviderError } from "../errors/provider-error.ts";
import type { Provider } from "../provider.ts";
import type { ProviderCheck } from "./check-provider.ts";
import { checkProvider } from "./check-provider.ts";
import type { ConfiguredModel, ProviderFailure } from "./failure.ts";
import {
  diagnoseAnswer,
  diagnoseProxy,
  diagnoseSilence,
  getHost,
  lineForMissingPath,
  unknownModel,
} from "./failure.ts";
import { findClosestModel, isListComplete, isOffered } from "./offered-models.ts";

/** The state of the provider in `/ready`. */
export interface ProviderReport extends Partial<ProviderFailure> {
  /** `unproven`: the provider responds, but only a real call can show whether the key is valid. `checking`: nothing is known yet. */
  status: "ok" | "unproven" | "degraded" | "checking";
  host: string;
  models: Partial<Record<ConfiguredModel["use"], string>>;
  /** Whether this is the offline provider. Absent until that is known. */
  offline?: boolean;
  /** The time of the last check or call, ISO 8601. */
  checkedAt?: string;
}

const connectionFailures: ReadonlySet<ProviderFailure["code"]> = new Set([
  "unknown_host",
  "nothing_listens",
  "untrusted_certificate",
  "client_certificate",
  "no_tls",
  "unreachable",
  "proxy_failed",
]);

const concernsAllModels = ({ code }: ProviderFailure) => code === "key_refused" || connectionFailures.has(code);

interface FailedCall {
  failure: ProviderFailure;
  model: string;
  atMs: number;
}

/**
 * Tracks whether the provider works, from checks and real calls. A report never waits: it starts a check if the last one is too old, and
 * concurrent reports share it.
 */
export class ProviderStatus {
  readonly #provider: Provider;
  readonly #models: readonly ConfiguredModel[];
  readonly #now: () => number;
  readonly #closed = new AbortController();
  /** Models that have answered a real call. */
  readonly #provenModels = new Set<string>();
  #check: ProviderCheck | undefined;
  #checkedAtMs = Number.NEGATIVE_INFINITY;
  #succeededAtMs = Number.NEGATIVE_INFINITY;
  #failedCall: FailedCall | undefined;
  #running: Promise<void> | undefined;

  constructor(options: { provider: Provider; models: readonly ConfiguredModel[]; now?: () => number }) {
    this.#provider = options.provider;
    this.#models = options.models;
    this.#now = options.now ?? Date.now;
  }

  /** Returns the last known state. */
  report(): ProviderReport {
    if (this.#isStale()) void this.refresh();
    const failedAtMs = this.#failedCall?.atMs ?? Number.NEGATIVE_INFINITY;
    const lastHeardMs = Math.max(this.#checkedAtMs, this.#succeededAtMs, failedAtMs);
    return {
      ...this.#verdict(),
      host: getHost(this.#provider.baseUrl),
      models: Object.fromEntries(this.#models.map(({ use, name }) => [use, name])),
      ...(this.#check?.kind === "answered" && { offline: this.#check.isOffline }),
      ...(Number.isFinite(lastHeardMs) && { checkedAt: new Date(lastHeardMs).toISOString() }),
    };
  }

  /** Checks the provider now, or joins a running check. */
  refresh(): Promise<void> {
    this.#running ??= this.#ask().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** Records that a model has answered a real call. */
  succeeded(model: string): void {
    this.#provenModels.add(model);
    this.#succeededAtMs = this.#now();
    const failed = this.#failedCall;
    // One model may be down or out of quota while another one works.
    if (failed?.model === model || (failed && concernsAllModels(failed.failure))) this.#failedCall = undefined;
  }

  /** Records that a real call has failed. Failures that may be the request's own fault are ignored. */
  failed(error: unknown, model: string): void {
    if (!(error instanceof ProviderError)) return;
    const failure = this.#diagnoseCall(error, model);
    if (failure === undefined) return;
    this.#provenModels.delete(model);
    this.#failedCall = { failure, model, atMs: this.#now() };
  }

  /** Records the outcome of a call, and returns it. */
  async follow<Result>(model: string, call: Promise<Result>): Promise<Result> {
    try {
      const result = await call;
      this.succeeded(model);
      return result;
    } catch (error) {
      this.failed(error, model);
      throw error;
    }
  }

  close(): void {
    this.#closed.abort();
  }

  #isStale(): boolean {
    if (this.#closed.signal.aborted) return false;
    const nowMs = this.#now();
    const isHealthy = this.#check?.kind === "answered" && this.#failedCall === undefined;
    const ttlMs = isHealthy ? limits.providerCheckTtlMs : limits.providerCheckRetryMs;
    // Only a check can detect the offline provider, so the first check happens even if calls succeed.
    const heardMs = this.#check ? Math.max(this.#checkedAtMs, this.#succeededAtMs) : this.#checkedAtMs;
    return nowMs - heardMs >= ttlMs;
  }

  async #ask(): Promise<void> {
    const { signal } = this.#closed;
    const timeoutMs = limits.providerCheckMs;
    // It only throws after `close`.
    const check = await checkProvider(this.#provider, { signal, timeoutMs }).catch(() => undefined);
    if (check === undefined) return;
    this.#check = check;
    this.#checkedAtMs = this.#now();
    if (this.#failedCall && this.#isDisproved(this.#failedCall, check)) this.#failedCall = undefined;
  }

  /** Whether a check shows that the failed call would now succeed. A check says nothing about rate limits, credit or a single model. */
  #isDisproved({ failure, atMs }: FailedCall, check: ProviderCheck): boolean {
    if (check.kind === "failed") return true;
    if (failure.code === "key_refused") return check.provesKey;
    return connectionFailures.has(failure.code) || this.#checkedAtMs - atMs >= limits.providerCallFailureMs;
  }

  #diagnoseCall({ kind, status, cause }: ProviderError, modelName: string): ProviderFailure | undefined {
    const { baseUrl } = this.#provider;
    if (cause instanceof ProxyError) return diagnoseProxy(cause, baseUrl);
    if (kind === "unreachable" || kind === "timed_out") {
      const { code } = (cause ?? {}) as { code?: unknown };
      const timedOut = kind === "timed_out";
      return diagnoseSilence({ code: typeof code === "string" ? code : undefined, timedOut }, baseUrl);
    }
    if (status === undefined) return undefined;
    const model = this.#models.find(({ name }) => name === modelName);
    return diagnoseAnswer({ status, isForeign: kind === "invalid", model }, baseUrl);
  }

  #verdict(): Pick<ProviderReport, "status"> & Partial<ProviderFailure> {
    const failure = this.#failure();
    if (failure) return { status: "degraded", ...failure };
    if (Number.isFinite(this.#succeededAtMs)) return { status: "ok" };
    if (this.#check?.kind !== "answered") return { status: "checking" };
    if (this.#check.provesKey) return { status: "ok" };
    const host = getHost(this.#provider.baseUrl);
    const why = this.#check.models ? "lists its models to anyone" : "answers, but has no list of models";
    const line = this.#check.models ? undefined : lineForMissingPath(this.#provider.baseUrl);
    const advice = line === undefined ? "" : ` Most providers answer below /v1: try ${line}`;
    return {
      status: "unproven",
      detail: `${host} ${why}: the first answer will show whether it accepts LLM_API_KEY.${advice}`,
    };
  }

  #failure(): ProviderFailure | undefined {
    if (this.#failedCall) return this.#failedCall.failure;
    if (this.#check?.kind === "failed") {
      return this.#succeededAtMs > this.#checkedAtMs ? undefined : this.#check.failure;
    }
    const listed = this.#check?.models;
    if (!listed || listed.length === 0 || this.#check?.isOffline) return undefined;
    const { baseUrl } = this.#provider;
    const { hostname } = new URL(baseUrl);
    const missing = this.#models.find(({ use, name }) => {
      return isListComplete(hostname, use) && !this.#provenModels.has(name) && !isOffered(name, listed);
    });
    return missing && unknownModel(missing, baseUrl, findClosestModel(missing.name, missing.use, listed));
  }
}
