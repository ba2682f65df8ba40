import type { ClientOptions } from "@agent-backends/client";

export interface SentRequest {
  method: string;
  url: string;
  headers: Headers;
  body: string;
}

/** A stand-in service that returns scripted responses, one per request, with a clock that never waits. */
export class ScriptedService {
  readonly requests: SentRequest[] = [];
  readonly delays: number[] = [];
  readonly #answers: (Response | Error)[];

  constructor(...answers: (Response | Error)[]) {
    this.#answers = answers;
  }

  readonly options: ClientOptions = {
    baseUrl: "https://agents.example/base/",
    now: () => Date.parse("2026-11-22T10:00:00Z"),
    random: () => 0.5,
    sleep: async (ms, signal) => {
      signal?.throwIfAborted();
      this.delays.push(ms);
    },
    fetch: async (input, init) => {
      init?.signal?.throwIfAborted();
      const request = new Request(input, init);
      const { method, url, headers } = request;
      this.requests.push({ method, url, headers, body: await request.text() });
      const answer = this.#answers.shift();
      if (answer === undefined) throw new Error("No answer is scripted for this request.");
      if (answer instanceof Error) throw answer;
      return answer;
    },
  };
}

export const json = (body: object, init?: ResponseInit) => Response.json(body, init);

export const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  new Response(
    JSON.stringify({
      type: `urn:agent-backends:problem:${code}`,
      title: "A title",
      status,
      detail: `The detail of ${code}.`,
      errors: [{ pointer: "/query", detail: "is blank" }],
    }),
    { status, headers: { "content-type": "application/problem+json", ...headers } },
  );

/** A streamed response in the given pieces. With `failure` the connection breaks after them. */
export function stream(type: string, pieces: Iterable<string | Uint8Array>, failure?: Error): Response {
  const left = [...pieces];
  const body = new ReadableStream({
    pull(controller) {
      const piece = left.shift();
      if (piece !== undefined) controller.enqueue(typeof piece === "string" ? new TextEncoder().encode(piece) : piece);
      else if (failure) controller.error(failure);
      else controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": type } });
}

export async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
