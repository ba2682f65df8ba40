import type { AgentName, Conversation } from "../conversations/conversation.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { StreamRequest } from "../stream/open-stream.ts";
import { isSettled } from "../uploads/stages.ts";
import type { Upload } from "../uploads/upload-queue.ts";
import { UploadQueue } from "../uploads/upload-queue.ts";
import type { WireSnapshot } from "../wire/wire-log.ts";
import { WireLog } from "../wire/wire-log.ts";
import type { AssistantMessage, ChatMessage } from "./messages.ts";
import { asLoaded, newAnswer, withToolCall } from "./messages.ts";
import type { Protocol } from "./protocol.ts";
import { streamAnswer } from "./stream-answer.ts";
import type { WaitingMessage } from "./waiting-messages.ts";
import { WaitingMessages } from "./waiting-messages.ts";

/** A request, and the namespace that its answer's citations are of. */
export type PreparedRequest = StreamRequest & { namespace?: string };

/** Makes the request that asks for the answer to a conversation. */
export type Prepare = (messages: readonly ChatMessage[], ids: { threadId: string; runId: string }) => PreparedRequest;

/** What a conversation's messages are changed into before the agent is asked. */
type Change = (messages: readonly ChatMessage[]) => readonly ChatMessage[];

export interface ChatSnapshot {
  messages: readonly ChatMessage[];
  running: boolean;
  /** The only namespace of this conversation, once it has begun in one. */
  namespace: string | undefined;
  /** What is written and not submitted yet. */
  draft: string;
  waiting: readonly WaitingMessage[];
  /** Files for the next question. */
  uploads: readonly Upload[];
  /** How many messages an edit or a retry has removed; these can be brought back. */
  removedCount: number;
  /** Another tab has deleted it. It is kept again as soon as the user wants it. */
  isDeleted: boolean;
  wire: WireSnapshot | undefined;
}

/** How often an answer is saved while it is being streamed, in milliseconds. */
const saveIntervalMs = 2_000;

/** One conversation with one agent. It goes on whatever is shown. */
export class ChatSession {
  readonly id: string;
  readonly agent: AgentName;
  /** Takes files for the next question. It waits until they are stored. */
  readonly uploads = new UploadQueue();
  readonly #protocol: Protocol;
  readonly #store: ConversationStore;
  readonly #listeners = new Set<() => void>();
  readonly #waiting = new WaitingMessages<Prepare>();
  #snapshot: ChatSnapshot;
  #revision: string | undefined;
  #createdAt: number;
  #namespace: string | undefined;
  #messages: readonly ChatMessage[];
  #removed: readonly ChatMessage[] | undefined;
  #draft = "";
  #isDeleted = false;
  #savedAt = 0;
  #running: AbortController | undefined;
  #wire: WireLog | undefined;
  #frame: number | undefined;

  constructor(protocol: Protocol, store: ConversationStore, conversation: Conversation, revision?: string) {
    this.#protocol = protocol;
    this.#store = store;
    this.id = conversation.id;
    this.agent = conversation.agent;
    this.#createdAt = conversation.createdAt;
    this.#namespace = conversation.namespace;
    this.#messages = conversation.messages.map(asLoaded);
    this.#revision = revision;
    this.#snapshot = this.#takeSnapshot();
    this.uploads.subscribe(() => this.#onUploads());
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): ChatSnapshot => this.#snapshot;

  /** Whether nothing of it is in memory alone, once it is saved. */
  get isIdle(): boolean {
    return !this.#isBusy && this.#draft === "" && this.#waiting.all.length === 0 && !this.#removed && !this.#isDeleted;
  }

  setDraft(text: string): void {
    this.#draft = text;
    this.#publish();
  }

  /** Whether a text can be submitted now: there is one, and a place for it where it has to wait. */
  canSend(text: string): boolean {
    return text.trim() !== "" && !(this.#isBusy && this.#waiting.isFull);
  }

  /** Asks at once, or after the answer that is being streamed and the files that are being stored. */
  send(text: string, prepare: Prepare): void {
    if (!this.canSend(text)) return;
    if (this.#isBusy) {
      this.#waiting.add(text.trim(), prepare);
      this.#publish();
    } else this.#ask(text.trim(), prepare);
  }

  /** Sends a waiting message now, or as soon as the answer before it ends. */
  sendWaiting(id: string): void {
    if (this.#isBusy) this.#waiting.release(id);
    const message = this.#isBusy ? undefined : this.#waiting.take(id);
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

  /** Asks a question anew in other words. It takes the place of the old one and of all that came after it. */
  edit(id: string, text: string, prepare: Prepare): void {
    if (this.#running || text.trim() === "") return;
    this.#removed = this.#messages;
    void this.#run(prepare, (messages) => {
      const index = messages.findIndex((message) => message.id === id);
      const question = { id: crypto.randomUUID(), role: "user", text: text.trim() } as const;
      return [...(index < 0 ? messages : messages.slice(0, index)), question];
    });
  }

  /** Asks the last question again, without the answer that it got. */
  retry(prepare: Prepare): void {
    if (this.#running || this.#messages.length === 0) return;
    const last = this.#messages.at(-1);
    this.#removed = last?.role === "assistant" && last.text !== "" ? this.#messages : undefined;
    void this.#run(prepare, (messages) => messages.slice(0, messages.findLastIndex(({ role }) => role === "user") + 1));
  }

  /** Brings back what the last edit or retry has removed. */
  undoRemoval(): void {
    if (!this.#removed) return;
    this.stop();
    this.#messages = this.#removed;
    this.#removed = undefined;
    this.#save();
    this.#publish();
  }

  /** Gives the last answer's tool call its result; once all have theirs the conversation goes on. */
  giveResult(callId: string, result: unknown, prepare: Prepare): void {
    const last = this.#messages.at(-1);
    if (this.#running || last?.role !== "assistant") return;
    const answer = withToolCall(last, callId, (call) => ({ ...call, result }));
    const change: Change = (messages) => messages.map((message) => (message.id === answer.id ? answer : message));
    if (answer.toolCalls.every((call) => call.result !== undefined)) return void this.#run(prepare, change);
    this.#messages = change(this.#messages);
    this.#publish();
  }

  /** Stops the answer. What waits for its end is not sent by itself any more. */
  stop(): void {
    if (!this.#running) return;
    this.#waiting.hold();
    this.#running.abort();
  }

  /** Takes over what another tab has saved. */
  async reload(): Promise<void> {
    if (this.#running) return;
    const newer = await this.#store.readNewer(this.id, this.#revision);
    if (!newer || this.#running) return;
    this.#messages = newer.conversation.messages.map(asLoaded);
    this.#revision = newer.revision;
    this.#isDeleted = false;
    this.#publish();
  }

  /** Stays on the screen, and is saved no more. */
  markDeleted(): void {
    this.#isDeleted = true;
    this.#publish();
  }

  /** Saves a conversation again that another tab has deleted. */
  keep(): void {
    this.#isDeleted = false;
    this.#save();
    this.#publish();
  }

  get #isBusy(): boolean {
    return this.#running !== undefined || this.uploads.snapshot().some(({ stage }) => !isSettled(stage));
  }

  #onUploads(): void {
    const next = this.#isBusy ? undefined : this.#nextWaiting();
    if (next) this.#ask(next.text, next.details);
    else this.#publish();
  }

  /** The message to send now. A file that could not be stored holds all back: the question may be about it. */
  #nextWaiting(): WaitingMessage<Prepare> | undefined {
    if (this.uploads.snapshot().some(({ stage }) => stage.name === "error")) this.#waiting.hold();
    return this.#waiting.takeNext();
  }

  #ask(text: string, prepare: Prepare): void {
    const stored = this.uploads.snapshot().filter(({ stage }) => stage.name === "saved" || stage.name === "skipped");
    const attachments = stored.map(({ name }) => name);
    const question = { id: crypto.randomUUID(), role: "user", text } as const;
    this.#removed = undefined;
    void this.#run(prepare, (messages) => [
      ...messages,
      attachments.length > 0 ? { ...question, attachments } : question,
    ]);
    this.uploads.clear();
  }

  async #run(prepare: Prepare, change: Change): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.#isDeleted = false;
    const before = this.#messages;
    this.#messages = change(before);
    this.#publish();
    let isDone = false;
    try {
      // One tab at a time: the other one's answer is part of the conversation before this one is asked for.
      await navigator.locks.request(`conversation ${this.id}`, { signal: running.signal }, async () => {
        const newer = await this.#store.readNewer(this.id, this.#revision);
        if (newer) this.#messages = change(newer.conversation.messages.map(asLoaded));
        isDone = (await this.#answer(prepare, running.signal)) === "done";
        this.#save();
      });
    } catch (error) {
      if (!running.signal.aborted) throw error;
    } finally {
      this.#running = undefined;
    }
    if (!isDone) this.#waiting.hold();
    const next = this.#isBusy ? undefined : this.#nextWaiting();
    if (next) this.#ask(next.text, next.details);
    else this.#publish();
  }

  async #answer(prepare: Prepare, signal: AbortSignal): Promise<AssistantMessage["state"]> {
    const ids = { threadId: this.id, runId: crypto.randomUUID() };
    const request = prepare(this.#messages, ids);
    const log = new WireLog(request, () => performance.now());
    let answer = newAnswer(ids.runId, request.namespace);
    this.#namespace ??= request.namespace;
    this.#wire = log;
    this.#messages = [...this.#messages, answer];
    const show = (next: AssistantMessage) => {
      answer = next;
      this.#messages = this.#messages.map((message) => (message.id === next.id ? next : message));
    };
    this.#save();
    this.#publish();
    try {
      for await (const next of streamAnswer(this.#protocol, request, answer, log, signal)) {
        show(next);
        this.#publishSoon();
      }
      show({ ...answer, state: answer.error === undefined ? "done" : "failed" });
    } catch (error) {
      if (signal.aborted) {
        log.add("end", "stopped", "The page closed the connection");
        show({ ...answer, state: "stopped" });
      } else {
        const message = error instanceof Error ? error.message : String(error);
        log.add("error", "failed", message);
        show({ ...answer, state: "failed", error: message });
      }
    }
    return answer.state;
  }

  #save(): void {
    if (this.#isDeleted || this.#messages.length === 0) return;
    this.#savedAt = performance.now();
    const { id, agent } = this;
    const namespace = this.#namespace;
    const conversation = { id, agent, createdAt: this.#createdAt, messages: this.#messages };
    this.#revision = this.#store.save({ ...conversation, ...(namespace !== undefined && { namespace }) });
  }

  #publishSoon(): void {
    if (performance.now() - this.#savedAt > saveIntervalMs) this.#save();
    this.#frame ??= requestAnimationFrame(() => this.#publish());
  }

  #publish(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#snapshot = this.#takeSnapshot();
    for (const listener of this.#listeners) listener();
  }

  #takeSnapshot(): ChatSnapshot {
    const removed = this.#removed?.filter(({ id }) => !this.#messages.some((message) => message.id === id));
    return {
      messages: this.#messages,
      running: this.#running !== undefined,
      namespace: this.#namespace,
      draft: this.#draft,
      waiting: this.#waiting.all,
      uploads: this.uploads.snapshot(),
      removedCount: removed?.length ?? 0,
      isDeleted: this.#isDeleted,
      wire: this.#wire?.snapshot(),
    };
  }
}
