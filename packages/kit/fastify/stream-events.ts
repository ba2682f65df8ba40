import type { OutgoingHttpHeaders } from "node:http";
import type { FastifyReply } from "fastify";
import { ClientGoneError } from "../streams/ended-errors.ts";
import type { EventStreamOptions } from "../streams/event-stream.ts";
import { openEventStream } from "../streams/event-stream.ts";

/**
 * Responds with a stream of the events that `produce` yields, as objects or as JSON, one or a list at a time. Stops when the events end,
 * the client disconnects or the shutdown grace period ends.
 *
 * @param options.last sent after the last event
 * @param options.onError reports an error of `produce`, or the end of the grace period. May return a last event for the client.
 */
export async function streamEvents(
  reply: FastifyReply,
  options: EventStreamOptions & { last?: string; onError(error: unknown): object | undefined },
  produce: (signal: AbortSignal) => AsyncIterable<object | string | readonly string[]>,
): Promise<void> {
  const headers = reply.getHeaders() as OutgoingHttpHeaders;
  reply.hijack();
  const stream = openEventStream(reply.raw, { ...options, headers });
  try {
    for await (const event of produce(stream.signal)) {
      await (Array.isArray(event) ? stream.send(...event) : stream.send(event));
    }
    if (options.last !== undefined) await stream.send(options.last);
  } catch (thrown) {
    const error = stream.signal.aborted ? stream.signal.reason : thrown;
    if (error instanceof ClientGoneError) return;
    const last = options.onError(error);
    if (last) await stream.send(last).catch(() => undefined);
  } finally {
    stream.end();
  }
}
