import type { OutgoingHttpHeaders } from "node:http";
import type { ListingEvent } from "@agent-backends/contract";
import { listingAgentRequest } from "@agent-backends/contract";
import type { Lifecycle } from "@agent-backends/kit";
import { ClientGoneError, openEventStream } from "@agent-backends/kit";
import type { App } from "@agent-backends/kit/fastify";
import type { Question } from "../answer/question.ts";
import { parseQuestion } from "../answer/question.ts";

/** Answers one question: see `answerQuestion`. */
export type Answer = (question: Question, signal: AbortSignal) => AsyncIterable<ListingEvent>;

/** `POST /agent`: the agent's frames as server-sent events, `[DONE]` last. */
export function addAgentRoute(
  app: App,
  { answer, lifecycle, heartbeatMs }: { answer: Answer; lifecycle: Lifecycle; heartbeatMs: number },
): void {
  const config = { access: { scope: "ask", takes: "stream" } } as const;
  app.post("/agent", { schema: { body: listingAgentRequest }, config }, async ({ body }, reply) => {
    const question = parseQuestion(body);
    reply.hijack();
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    const stream = openEventStream(reply.raw, { format: "sse", heartbeatMs, headers, lifecycle });
    try {
      for await (const frame of answer(question, stream.signal)) await stream.send(frame);
      await stream.sendRaw("data: [DONE]\n\n");
    } catch (error) {
      if (!(error instanceof ClientGoneError)) throw error;
    } finally {
      stream.end();
    }
  });
}
