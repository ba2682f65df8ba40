import type { IngestResponse, Job, NamespacesResponse, SearchResponse } from "@agent-backends/contract";

/** A request is given up, and counts as unanswered, after this long. */
const requestTimeoutMs = 150_000;
/** Clients send again what was answered with one of these, or not at all because a replica was killed. */
const maxRetries = 20;
const retryDelayMs = 300;

/** The answers of all requests, with how long each took. */
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
    const percentile = (values: number[], share: number) =>
      Math.round(values.toSorted((one, other) => one - other)[Math.floor((values.length - 1) * share)] ?? 0);
    for (const [what, values] of this.durations)
      lines.push(`${what}: p50 ${percentile(values, 0.5)} ms, p99 ${percentile(values, 0.99)} ms`);
    return [...lines, `unanswered: ${this.unanswered}`];
  }
}

/** A client of the service, which sends a request again as its contract says. */
export class ReplicaClient {
  readonly #baseUrl: string;
  readonly #answers: Answers;

  constructor(baseUrl: string, answers: Answers) {
    this.#baseUrl = baseUrl;
    this.#answers = answers;
  }

  async ingest(namespace: string, sources: readonly string[]): Promise<IngestResponse> {
    return this.#send("ingest", "POST", "/api/tools/ingest", { namespace, sources });
  }

  /** @returns the id of the job and the address of the replica that has accepted it */
  async startJob(namespace: string, files: readonly string[]): Promise<{ id: string; replica: string }> {
    const form = () => {
      const body = new FormData();
      body.append("namespace", namespace);
      for (const [index, text] of files.entries()) body.append("files", new Blob([text]), `${index}.txt`);
      return body;
    };
    const { body, replica } = await this.#exchange("job", "POST", "/api/tools/ingest?async=true", form);
    return { id: (body as Job).job_id, replica };
  }

  getJob(id: string): Promise<Job> {
    return this.#send("progress", "GET", `/api/jobs/${id}`);
  }

  search(namespace: string, query: string): Promise<SearchResponse> {
    return this.#send("search", "POST", "/api/tools/searchDocs", { namespace, query });
  }

  async countDocuments(namespace: string): Promise<number> {
    const { namespaces } = await this.#send<NamespacesResponse>("list", "GET", "/api/namespaces?limit=100");
    return namespaces.find((one) => one.namespace === namespace)?.documents ?? 0;
  }

  async #send<Body>(what: string, method: string, path: string, body?: object): Promise<Body> {
    const { body: answered } = await this.#exchange(what, method, path, () => body && JSON.stringify(body));
    return answered as Body;
  }

  async #exchange(what: string, method: string, path: string, toBody: () => string | FormData | undefined) {
    for (let attempt = 0; ; attempt += 1) {
      const startedAt = performance.now();
      const body = toBody();
      try {
        const response = await fetch(this.#baseUrl + path, {
          method,
          ...(body !== undefined && { body }),
          ...(typeof body === "string" && { headers: { "Content-Type": "application/json" } }),
          signal: AbortSignal.timeout(requestTimeoutMs),
        });
        const text = await response.text();
        this.#answers.note(what, response.status, performance.now() - startedAt);
        if (response.status < 400) {
          return { body: JSON.parse(text) as unknown, replica: response.headers.get("x-replica") ?? "" };
        }
        if (attempt === maxRetries) throw new Error(`${what} was answered with ${response.status} again: ${text}`);
      } catch (error) {
        if (attempt === maxRetries) throw error;
        if (error instanceof DOMException && error.name === "TimeoutError") this.#answers.unanswered += 1;
      }
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}
