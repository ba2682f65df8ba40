import { createHash } from "node:crypto";
import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import type {
  CompletionHead,
  CompletionToolCall,
  EndpointReply,
  EndpointRequest,
  FinishReason,
} from "@agent-backends/llm";
import { buildCompletion, buildCompletionChunk, buildUsageChunk } from "@agent-backends/llm";
import { respondWithLexicalEmbeddings } from "@agent-backends/llm/offline";

/** The scripted provider's response to one call. Tests may write their own. */
export interface ScriptedAnswer {
  respond(request: EndpointRequest, reply: EndpointReply): Promise<void>;
}

/** A tool call of the model. Its arguments are an object, JSON text, or the pieces in which that text is streamed. */
export interface ScriptedToolCall {
  id?: string;
  name: string;
  args: object | string | string[];
}

/** Something to write or to wait for: text or bytes, a pause, or a promise that the test settles. */
export type Piece = string | Uint8Array | { pauseMs: number } | Promise<unknown>;

/** How a scripted stream ends: completely, with the end of the body, with a broken connection, or never. */
export type StreamEnd = "end" | "cut" | "hang";

const usage = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };

/** Streams the text in these deltas, or sends it as a whole if the call requests no stream. */
function text(...deltas: string[]): ScriptedAnswer {
  return complete({ deltas, calls: [] });
}

/** Responds with tool calls, after the text if there is any. Several calls are parallel calls of one answer. */
function toolCalls(calls: ScriptedToolCall[], options: { text?: string } = {}): ScriptedAnswer {
  return complete({ deltas: options.text ? [options.text] : [], calls });
}

/** Sends these chunk objects unchanged, then `[DONE]` unless `done` is false. */
function chunks(list: object[], options: { done?: boolean } = {}): ScriptedAnswer {
  const frames = list.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`);
  return bytes(options.done === false ? frames : [...frames, "data: [DONE]\n\n"]);
}

/** Sends these bytes, one write per piece, with the pauses in the list. */
function bytes(
  pieces: Iterable<Piece> | AsyncIterable<Piece>,
  options: { status?: number; headers?: Record<string, string>; end?: StreamEnd } = {},
): ScriptedAnswer {
  return {
    async respond(request, reply) {
      reply.start(options.status ?? 200, options.headers);
      for await (const piece of pieces) {
        if (request.signal.aborted) return;
        await play(piece, request, reply);
      }
      await finish(request, reply, options.end ?? "end");
    },
  };
}

/** Responds with any status, and an object as JSON or a text unchanged. */
function status(code: number, body: object | string = "", headers: Record<string, string> = {}): ScriptedAnswer {
  return {
    async respond(_request, reply) {
      if (typeof body === "string") reply.send(code, { "content-type": "text/plain", ...headers }, body);
      else reply.json(code, body, headers);
    },
  };
}

/** Responds with an error in OpenAI's format. */
function error(code: number, message: string, headers: Record<string, string> = {}): ScriptedAnswer {
  return status(code, { error: { message, type: "server_error", param: null, code: null } }, headers);
}

/** Responds with 429 in OpenAI's format, with Retry-After. */
function rateLimited(retryAfterSeconds: number): ScriptedAnswer {
  return error(429, "Rate limit reached.", { "retry-after": String(retryAfterSeconds) });
}

function models(...ids: string[]): ScriptedAnswer {
  return status(200, { object: "list", data: ids.map((id) => ({ id, object: "model" })) });
}

/** Responds with the HTML page of a gateway in front of the provider. */
function html(code = 502): ScriptedAnswer {
  const page = "<!doctype html><html><body><h1>502 Bad Gateway</h1><p>10.0.0.7</p></body></html>";
  return status(code, page, { "content-type": "text/html" });
}

/** Never responds, not even with headers, until the caller gives up. */
function hang(): ScriptedAnswer {
  return { respond: (request) => untilAborted(request.signal) };
}

/** Streams the deltas, then stays silent until the caller gives up. */
function hangAfter(...deltas: string[]): ScriptedAnswer {
  return partial(deltas, "hang");
}

/** Streams the deltas, then breaks the connection. */
function cutAfter(...deltas: string[]): ScriptedAnswer {
  return partial(deltas, "cut");
}

/** Streams the deltas, then ends the body cleanly, without a finish reason or `[DONE]`. */
function endAfter(...deltas: string[]): ScriptedAnswer {
  return partial(deltas, "end");
}

/** Responds with embeddings of the offline embedder, once the test releases them. */
function embeddingsAfter(released: Promise<unknown>): ScriptedAnswer {
  return {
    async respond(request, reply) {
      await released;
      await respondWithLexicalEmbeddings(request, reply);
    },
  };
}

/** Breaks the connection before any response. */
function drop(): ScriptedAnswer {
  return { respond: async (_request, reply) => reply.cut() };
}

export const answer = {
  text,
  toolCalls,
  chunks,
  bytes,
  status,
  error,
  rateLimited,
  models,
  html,
  hang,
  hangAfter,
  cutAfter,
  endAfter,
  embeddingsAfter,
  drop,
};

function partial(deltas: string[], end: StreamEnd): ScriptedAnswer {
  return {
    async respond(request, reply) {
      reply.start();
      const head = buildHead(request);
      for (const delta of deltas) await reply.event(buildCompletionChunk(head, { content: delta }));
      await nextTurn();
      await finish(request, reply, end);
    },
  };
}

function complete(script: { deltas: string[]; calls: ScriptedToolCall[] }): ScriptedAnswer {
  return {
    async respond(request, reply) {
      const head = buildHead(request);
      const calls = script.calls.map((call, index) => ({
        ...call,
        id: call.id ?? `call_${index}_${head.id.slice(-8)}`,
      }));
      const wanted = request.body as { stream?: boolean; stream_options?: { include_usage?: boolean } };
      if (!wanted.stream) {
        const whole = calls.map(({ id, name, args }): CompletionToolCall => {
          return { id, type: "function", function: { name, arguments: buildPieces(args).join("") } };
        });
        reply.json(200, buildCompletion(head, { text: script.deltas.join(""), toolCalls: whole, usage }));
        return;
      }
      reply.start();
      for (const frame of buildFrames(head, script.deltas, calls)) await reply.event(frame);
      if (wanted.stream_options?.include_usage) await reply.event(buildUsageChunk(head, usage));
      await reply.event("[DONE]");
      reply.end();
    },
  };
}

function* buildFrames(head: CompletionHead, deltas: string[], calls: (ScriptedToolCall & { id: string })[]) {
  yield buildCompletionChunk(head, { role: "assistant", content: "" });
  for (const delta of deltas) yield buildCompletionChunk(head, { content: delta });
  for (const [index, call] of calls.entries()) {
    const start = { index, id: call.id, type: "function", function: { name: call.name, arguments: "" } };
    yield buildCompletionChunk(head, { tool_calls: [start] });
    for (const piece of buildPieces(call.args)) {
      yield buildCompletionChunk(head, { tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  const reason: FinishReason = calls.length > 0 ? "tool_calls" : "stop";
  yield buildCompletionChunk(head, {}, reason);
}

function buildPieces(args: object | string | string[]): string[] {
  if (Array.isArray(args)) return args;
  return [typeof args === "string" ? args : JSON.stringify(args)];
}

function buildHead(request: EndpointRequest): CompletionHead {
  const content = JSON.stringify(request.body) ?? "";
  const { model = "scripted" } = (request.body ?? {}) as { model?: string };
  return {
    id: `chatcmpl-${createHash("sha256").update(content).digest("hex").slice(0, 24)}`,
    model,
    created: 1_700_000_000,
  };
}

async function play(piece: unknown, request: EndpointRequest, reply: EndpointReply): Promise<void> {
  if (typeof piece === "string" || piece instanceof Uint8Array) {
    await reply.write(piece);
    // Wait one turn of the event loop, so that each piece is a separate write to the socket.
    await nextTurn();
  } else if (typeof piece === "object" && piece !== null && "pauseMs" in piece) {
    await pause(Number(piece.pauseMs), request.signal);
  }
}

async function finish(request: EndpointRequest, reply: EndpointReply, end: StreamEnd): Promise<void> {
  if (end === "hang") await untilAborted(request.signal);
  else if (end === "cut") reply.cut();
  else reply.end();
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return delay(milliseconds, undefined, { signal }).catch(() => undefined);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}
