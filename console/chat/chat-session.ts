import type { StreamRequest } from "../stream/open-stream.ts";
import type { WireEntry, WireStats } from "../wire/wire-log.ts";
import { WireLog } from "../wire/wire-log.ts";
import type { AssistantMessage, ChatMessage } from "./messages.ts";
import { newAnswer, withToolCall } from "./messages.ts";
import type { Protocol } from "./protocol.ts";
import type { ConversationStore } from "./stored-conversation.ts";
import { streamAnswer } from "./stream-answer.ts";
import type { WaitingMessage } from "./waiting-messages.ts";
import { WaitingMessages } from "./waiting-messages.ts";

/** A request, and the namespace that its answer's citations are of. */
export type PreparedRequest = StreamRequest & { namespace?: string };

/** Makes the request that asks for the answer to a conversation. */
export type Prepare = (messages: readonly ChatMessage[], ids: { threadId: string; runId: string }) => PreparedRequest;

export interface ChatSnapshot {
  messages: readonly ChatMessage[];
  running: boolean;
  /** What is written and not submitted yet. */
  draft: string;
  waiting: readonly WaitingMessage[];
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
  #draft = "";
  readonly #waiting = new WaitingMessages<Prepare>();
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

  setDraft(text: string): void {
    this.#draft = text;
    this.#publish();
  }

  /** Whether a text can be submitted now: there is one, and a place for it where it has to wait. */
  canSend(text: string): boolean {
    return text.trim() !== "" && !(this.#running && this.#waiting.isFull);
  }

  /** Asks, or, while an answer is being streamed, after it. */
  send(text: string, prepare: Prepare): void {
    if (!this.canSend(text)) return;
    if (this.#running) {
      this.#waiting.add(text.trim(), prepare);
      this.#publish();
    } else this.#ask(text.trim(), prepare);
  }

  /** Sends a waiting message now, or as soon as the answer before it ends. */
  sendWaiting(id: string): void {
    if (this.#running) this.#waiting.release(id);
    const message = this.#running ? undefined : this.#waiting.take(id);
    if (message) this.#ask(message.text, message.details);
    else this.#publish();
  }

  removeWaiting(id: string): void {
    this.#waiting.take(id);
    this.#publish();
  }

  /** Moves a waiting message back to where it was written, before what is written there now. */
  editWaiting(id: string): void {
    const message = this.#waiting.take(id);
    if (message) this.setDraft([message.text, this.#draft].filter(Boolean).join("\n\n"));
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

  /** Stops the answer. What waits for its end is not sent by itself any more. */
  stop(): void {
    if (!this.#running) return;
    this.#waiting.hold();
    this.#running.abort();
  }

  clear(): void {
    this.stop();
    for (const { id } of this.#waiting.all) this.#waiting.take(id);
    this.#messages = [];
    this.#wire = undefined;
    this.#threadId = crypto.randomUUID();
    this.#store.write(undefined);
    this.#publish();
  }

  #ask(text: string, prepare: Prepare): void {
    this.#messages = [...this.#messages, { id: crypto.randomUUID(), role: "user", text }];
    void this.#run(prepare);
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
      for await (const next of streamAnswer(this.#protocol, request, answer, log, running.signal)) {
        show(next);
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
    if (this.#running !== running) return;
    this.#running = undefined;
    if (this.#messages.length > 0) this.#store.write({ threadId: this.#threadId, messages: this.#messages });
    if (answer.state !== "done") this.#waiting.hold();
    const next = this.#waiting.takeNext();
    if (next) this.#ask(next.text, next.details);
    else this.#publish();
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
      draft: this.#draft,
      waiting: this.#waiting.all,
      wire: wire && { entries: kept, leftOut, stats: wire.log.stats, request: wire.request },
    };
  }
}
