/** A run input that asks one question. `fields` replaces or adds fields. */
export function runInput(fields: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    threadId: "thread-1",
    runId: "run-1",
    messages: [{ id: "m1", role: "user", content: "Hello?" }],
    tools: [],
    context: [],
    state: {},
    forwardedProps: {},
    ...fields,
  };
}

/** Posts a body as JSON to the relay's `/agent`, or with a query to `/agent?…`. */
export function postAgent(url: string, body: unknown, init: RequestInit = {}, query = ""): Promise<Response> {
  return fetch(`${url}/agent${query}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
    ...init,
  });
}
