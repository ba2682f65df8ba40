/** What a platform stores about an agent. */
interface Registration {
  url: string;
  headers: Record<string, string | undefined>;
  toolParams: unknown;
}

/** One event of any of the three agents. Each has other names for its text. */
interface AgentEvent {
  type: string;
  message?: string;
  content?: string;
  delta?: string;
}

/**
 * Sends a message as a chat platform does, and yields the words of the answer as they arrive. Newline-delimited JSON and server-sent
 * events differ only in the "data: " before each object.
 *
 * @throws Error with the agent's own message
 */
export async function* streamAnswer(
  { url, headers, toolParams }: Registration,
  message: string,
): AsyncGenerator<string> {
  const [thread, run] = [crypto.randomUUID(), crypto.randomUUID()];
  const request = fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers } as Record<string, string>,
    body: JSON.stringify({
      // Knowledge and Listing read one spelling, the relay the other.
      ...{ thread_id: thread, run_id: run, threadId: thread, runId: run },
      tool_params: toolParams,
      messages: [{ id: crypto.randomUUID(), role: "user", content: message }],
    }),
  });
  const response = await request.catch((error: Error) => {
    throw new Error(`Nothing answers at ${url}, or it doesn't allow pages of this origin. (${error.message})`);
  });
  if (!response.ok || !response.body) {
    const text = await response.text();
    // Our services explain themselves in JSON (RFC 9457).
    throw new Error(text.startsWith("{") ? (JSON.parse(text) as { detail: string }).detail : text);
  }
  let rest = "";
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const json = line.replace(/^data: /, "");
      if (!json.startsWith("{")) continue; // an empty line, a heartbeat, or [DONE]
      const event = JSON.parse(json) as AgentEvent;
      if (event.type === "error" || event.type === "RUN_ERROR") throw new Error(event.message);
      if (["text_delta", "text_message_chunk"].includes(event.type)) yield event.content ?? "";
      if (event.type === "TEXT_MESSAGE_CONTENT") yield event.delta ?? "";
    }
  }
}
