import { setTimeout } from "node:timers/promises";
import { KnowledgeClient } from "@agent-backends/client";

/** Time after which a request is given up and counts as unanswered. */
const requestTimeoutMs = 150_000;
/** Clients retry a request that was answered with one of these, or not at all because a replica was killed. */
const maxRetries = 20;
const retryDelayMs = 300;

/** The responses to all requests, with their durations. */
export class Answers {
  readonly durations = new Map<string, number[]>();
  readonly statuses = new Map<string, number>();
  unanswered = 0;

  note(what: string, status: number, durationMs: number): void {
    const key = `${what} ${status}`;
    this.statuses.set(key, (this.statuses.get(key) ?? 0) + 1);
    if (status < 300) this.durations.set(what, [...(this.durations.get(what) ?? []), durationMs]);
  }

  describe(): string[] {
    const lines = [...this.statuses].sort().map(([key, count]) => `${key}: ${count}`);
    for (const [what, times] of this.durations) lines.push(`${what}: ${describeTimes(times)}`);
    return [...lines, `unanswered: ${this.unanswered}`];
  }
}

export function describeTimes(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round(sorted[Math.floor((sorted.length - 1) * share)] ?? 0);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
}

/** A client of the service that retries every request until it succeeds, as the service's contract specifies. */
export function createClient(baseUrl: string, answers = new Answers()): KnowledgeClient {
  return new KnowledgeClient({ baseUrl, retry: { maxAttempts: 1 }, fetch });

  async function fetch(url: Parameters<typeof globalThis.fetch>[0], init: RequestInit = {}): Promise<Response> {
    const what = `${init.method} ${String(url).replace(/^.*\/api\/(tools\/)?|[/?].*$/g, "")}`;
    for (let attempt = 0; ; attempt += 1) {
      const startedAt = performance.now();
      try {
        const response = await globalThis.fetch(url, { ...init, signal: AbortSignal.timeout(requestTimeoutMs) });
        const text = await response.text();
        answers.note(what, response.status, performance.now() - startedAt);
        if (response.ok || attempt === maxRetries) return new Response(text, response);
      } catch (error) {
        if (error instanceof DOMException && error.name === "TimeoutError") answers.unanswered += 1;
        if (attempt === maxRetries) throw error;
      }
      await setTimeout(retryDelayMs);
    }
  }
}
