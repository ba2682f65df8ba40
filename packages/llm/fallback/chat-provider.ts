import type { ProviderError } from "../errors/provider-error.ts";
import type { Provider } from "../provider.ts";
import { getHost } from "../status/failure.ts";
import type { ProviderStatus } from "../status/provider-status.ts";
import type { AskedProvider } from "../transport/provider-stream.ts";
import { CircuitBreaker } from "./circuit-breaker.ts";

/** One of the providers that may answer a chat completion, with its own model and its own state. */
export class ChatProvider implements AskedProvider {
  readonly provider: Provider;
  readonly model: string;
  readonly breaker: CircuitBreaker;
  /** Host and model, such as `api.openai.com gpt-4o`. It holds no key and no path, and is safe in a header. */
  readonly name: string;
  readonly status: ProviderStatus;
  /** Counts since the start of the process: answers that it began, and calls for which another one was asked. */
  answers = 0;
  fallbacks = 0;

  constructor(options: { provider: Provider; model: string; status: ProviderStatus; now: () => number }) {
    this.provider = options.provider;
    this.model = options.model;
    this.status = options.status;
    this.breaker = new CircuitBreaker(options.now);
    this.name = `${getHost(options.provider.baseUrl)} ${options.model}`.replace(/[^ -~]/g, "?");
  }

  /** Records that another provider is asked instead. */
  wasReplaced(error: ProviderError): void {
    this.fallbacks += 1;
    this.failed(error);
  }

  succeeded(): void {
    this.status.succeeded(this.model);
  }

  failed(error: unknown): void {
    this.status.failed(error, this.model);
  }
}
