import { problems } from "@agent-backends/contract";
import { listingOperations } from "@agent-backends/contract/openapi";
import type { Lifecycle } from "@agent-backends/kit";
import { withTokens } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute, streamEvents } from "@agent-backends/kit/fastify";
import type { EventDependencies, ListingAnswerPart } from "../answer/answer.ts";
import { toListingEvents } from "../answer/answer.ts";
import type { Question } from "../answer/question.ts";
import { parseQuestion } from "../answer/question.ts";

/** Answers one question: see `answerQuestion`. */
export type Answer = (question: Question, signal: AbortSignal) => AsyncIterable<ListingAnswerPart>;

/**
 * Refuses run inputs: a client that declares an AG-UI version, or whose URL has an AG-UI profile, reads only AG-UI events, and would fail on
 * the agent's frames without explanation.
 */
async function refuseRunInput({ body, query }: { body: unknown; query: unknown }): Promise<void> {
  const { protocolVersion } = (body ?? {}) as Record<string, unknown>;
  const hasProfile = String((query as Record<string, unknown>).profile).startsWith("ag-ui");
  if (typeof protocolVersion !== "string" && !hasProfile) return;
  throw problems.agUiElsewhere(hasProfile ? "/profile" : "/protocolVersion");
}

/** Adds `POST /agent`: the agent's frames as server-sent events, ending with `[DONE]`. */
export function addAgentRoute(
  app: App,
  {
    answer,
    events,
    lifecycle,
    heartbeatMs,
  }: { answer: Answer; events: EventDependencies; lifecycle: Lifecycle; heartbeatMs: number },
): void {
  addRoute(app, listingOperations, "POST /agent", {
    preValidation: refuseRunInput,
    async handler(request, reply) {
      const question = parseQuestion(request.body);
      const onError = (error: unknown) => {
        request.log.error({ err: error, request_id: request.id }, "an answer failed");
        return undefined;
      };
      const options = { format: "sse", heartbeatMs, lifecycle, last: "[DONE]", onError } as const;
      await withTokens({ request: request.raw, input: request.body.messages, reply }, () =>
        streamEvents(reply, options, (signal) => toListingEvents(answer(question, signal), question, events, signal)),
      );
    },
  });
}
