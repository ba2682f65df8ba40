import type { StreamRequest } from "../stream/open-stream.ts";
import { brokenOff, openStream } from "../stream/open-stream.ts";
import type { WireEntry, WireStats } from "../wire/wire-log.ts";
import { WireLog } from "../wire/wire-log.ts";
import type { AssistantMessage, ChatMessage } from "./messages.ts";
import { newAnswer, withToolCall } from "./messages.ts";
import type { Protocol, WireEvent } from "./protocol.ts";
import type { ConversationStore } from "./stored-conversation.ts";

/** A request, and the namespace that its answer's citations are of. */
export type PreparedRequest = StreamRequest & { namespace?: string };

/** Makes the request that asks for the answer to a conversation. */
export type Prepare = (messages: readonly ChatMessage[], ids: { threadId: string; runId: string }) => PreparedRequest;

export interface ChatSnapshot {
  messages: readonly ChatMessage[];
  running: boolean;
  wire: { entries: WireEntry[]; leftOut: number; stats: WireStats; request: StreamRequest } | undefined;
}

/** One conversation with one agent. It lives as long as the tab, whatever view is shown. */
export class ChatSession {
  readonly #protocol: Protocol;
  readonly #store: ConversationStore;
  readonly #listeners = new Set<() => void>();
  #snapshot: ChatSnapshot;
  #threadId: string;
  #messages: ChatMessage[];
  #running: AbortController | undefined;
  #wire: { log: WireLog; request: StreamRequest } | undefined;
  #frame: number | undefined;

  constructor(protocol: Protocol, store: ConversationStore) {
    this.#protocol = protocol;
    this.#store = store;
    const stored = store.read();
    this.#messages = stored?.messages ?? [];
    this.#threadId = stored?.threadId ?? crypto.randomUUID();
    this.#snapshot = this.#takeSnapshot();
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): ChatSnapshot => this.#snapshot;

  /** Asks. Nothing happens while an answer is being streamed. */
  send(text: string, prepare: Prepare): void {
    if (this.#running || text.trim() === "") return;
    this.#messages = [...this.#messages, { id: crypto.randomUUID(), role: "user", text: text.trim() }];
    void this.#run(prepare);
  }

  /** Asks the last question again, without the answer that it got. */
  retry(prepare: Prepare): void {
    if (this.#running) return;
    this.#messages = this.#messages.slice(0, this.#messages.findLastIndex(({ role }) => role === "user") + 1);
    if (this.#messages.length > 0) void this.#run(prepare);
  }

  /** Gives the last answer's tool call its result; once all have theirs the conversation goes on. */
  giveResult(callId: string, result: unknown, prepare: Prepare): void {
    const last = this.#messages.at(-1);
    if (this.#running || last?.role !== "assistant") return;
    const answer = withToolCall(last, callId, (call) => ({ ...call, result }));
    this.#messages = [...this.#messages.slice(0, -1), answer];
    if (answer.toolCalls.every((call) => call.result !== undefined)) void this.#run(prepare);
    else this.#publish();
  }

  stop(): void {
    this.#running?.abort();
  }

  clear(): void {
    this.stop();
    this.#messages = [];
    this.#wire = undefined;
    this.#threadId = crypto.randomUUID();
    this.#store.write(undefined);
    this.#publish();
  }

  async #run(prepare: Prepare): Promise<void> {
    const running = new AbortController();
    const ids = { threadId: this.#threadId, runId: crypto.randomUUID() };
    const request = prepare(this.#messages, ids);
    const log = new WireLog(() => performance.now());
    let answer = newAnswer(ids.runId, request.namespace);
    this.#running = running;
    this.#wire = { log, request };
    this.#messages = [...this.#messages, answer];
    const show = (next: AssistantMessage) => {
      answer = next;
      this.#messages = this.#messages.map((message) => (message.id === next.id ? next : message));
    };
    log.add("request", "POST", new URL(request.url).pathname);
    this.#publish();
    try {
      for await (const reading of this.#readings(request, log, running.signal, () => answer)) {
        show(reading);
        this.#publishSoon();
      }
      show({ ...answer, state: answer.error === undefined ? "done" : "failed" });
    } catch (error) {
      if (running.signal.aborted) {
        log.add("end", "stopped", "The page closed the connection");
        show({ ...answer, state: "stopped" });
      } else {
        const message = error instanceof Error ? error.message : String(error);
        log.add("error", "failed", message);
        show({ ...answer, state: "failed", error: message });
      }
    }
    if (this.#running === running) this.#running = undefined;
    if (this.#messages.length > 0) this.#store.write({ threadId: this.#threadId, messages: this.#messages });
    this.#publish();
  }

  /** The answer as it grows, by one event each. Throws where the stream ends without saying so. */
  async *#readings(request: StreamRequest, log: WireLog, signal: AbortSignal, current: () => AssistantMessage) {
    const onResponse = (response: Response) =>
      log.add("response", String(response.status), response.headers.get("content-type") ?? "");
    for await (const { kind, data } of openStream(request, { signal, onResponse })) {
      if (kind === "heartbeat") {
        log.add("heartbeat", "keep-alive", data);
      } else if (data === this.#protocol.endMark) {
        log.add("event", data, data);
        return;
      } else {
        const event = parse(data);
        const reading = this.#protocol.read(current(), event);
        log.add("event", event.type ?? "?", data, { isText: reading.isText ?? false });
        this.#protocol.onEvent?.(event);
        yield reading.answer;
        if (reading.ended) return;
      }
    }
    if (current().error === undefined) throw brokenOff();
  }

  #publishSoon(): void {
    this.#frame ??= requestAnimationFrame(() => this.#publish());
  }

  #publish(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#snapshot = this.#takeSnapshot();
    for (const listener of this.#listeners) listener();
  }

  #takeSnapshot(): ChatSnapshot {
    const wire = this.#wire;
    const { kept = [], leftOut = 0 } = wire?.log.entries ?? {};
    return {
      messages: this.#messages,
      running: this.#running !== undefined,
      wire: wire && { entries: kept, leftOut, stats: wire.log.stats, request: wire.request },
    };
  }
}

function parse(data: string): WireEvent {
  try {
    const value: unknown = JSON.parse(data);
    if (typeof value === "object" && value !== null) return value as WireEvent;
  } catch {
    // Told below, as for any other value that is no object.
  }
  throw new Error(`The service sent an event that is no JSON object: ${data.slice(0, 120)}`);
}
