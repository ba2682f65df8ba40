import type { Conversation } from "../conversations/conversation.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { AssistantMessage, ChatMessage } from "../conversations/messages.ts";
import { asLoaded, newAnswer } from "../conversations/messages.ts";
import type { AgentName } from "../routes.ts";
import { canRetry, isSettled } from "../uploads/stages.ts";
import type { Upload } from "../uploads/upload-queue.ts";
import { UploadQueue } from "../uploads/upload-queue.ts";
import type { WireSnapshot } from "../wire/wire-log.ts";
import { WireLog } from "../wire/wire-log.ts";
import { ConversationRecord } from "./conversation-record.ts";
import type { Change } from "./message-changes.ts";
import { asking, askingAgain, askingInstead, withResult } from "./message-changes.ts";
import type { Prepare, Protocol } from "./protocol.ts";
import { runAnswer } from "./stream-answer.ts";
import { Unsent } from "./unsent.ts";
import type { WaitingMessage } from "./waiting-messages.ts";

const noTools: readonly object[] = [];

/** One conversation with one agent. It goes on whatever is shown. */
export class ChatSession {
  /** Takes files for the next question. It waits until they are stored. */
  readonly uploads = new UploadQueue();
  readonly #protocol: Protocol;
  readonly #record: ConversationRecord;
  readonly #listeners = new Set<() => void>();
  readonly #unsent: Unsent;
  #snapshot: ChatSnapshot;
  #namespace: string | undefined;
  #messages: readonly ChatMessage[];
  #removed: readonly ChatMessage[] | undefined;
  #tools: readonly object[];
  #running: AbortController | undefined;
  #wire: WireLog | undefined;
  #frame: number | undefined;

  constructor(protocol: Protocol, store: ConversationStore, conversation: Conversation, revision?: string) {
    this.#protocol = protocol;
    this.#record = new ConversationRecord(store, conversation, revision);
    this.#namespace = conversation.namespace;
    this.#messages = conversation.messages.map(asLoaded);
    this.#unsent = new Unsent(this.#unsentKey);
    this.#tools = conversation.tools ?? this.#unsent.tools;
    this.#snapshot = this.#takeSnapshot();
    this.uploads.subscribe(() => this.#onUploads());
  }

  get id(): string {
    return this.#record.id;
  }

  get agent(): AgentName {
    return this.#record.agent;
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly snapshot = (): ChatSnapshot => this.#snapshot;

  /** Whether nothing of it is in memory alone, once it is saved. */
  get isIdle(): boolean {
    return (
      !this.#isBusy &&
      this.#unsent.draft === "" &&
      this.#unsent.waiting.all.length === 0 &&
      !this.#removed &&
      !this.#record.isDeleted
    );
  }

  setDraft(text: string): void {
    this.#unsent.draft = text;
    this.#publish();
  }

  /** Chooses what the model may call from now on. */
  setTools(tools: readonly object[]): void {
    this.#tools = tools;
    this.#save();
    this.#publish();
  }

  /** Whether a text can be submitted now: there is one, and a place for it where it has to wait. */
  canSend(text: string): boolean {
    return text.trim() !== "" && !(this.#isBusy && this.#unsent.waiting.isFull);
  }

  /** Asks at once, or after the answer that is being streamed and the files that are being stored. */
  send(text: string, prepare: Prepare): void {
    if (!this.canSend(text)) return;
    if (this.#isBusy) {
      this.#unsent.waiting.add(text.trim(), prepare);
      this.#publish();
    } else this.#ask(text.trim(), prepare);
  }

  /** Sends a waiting message now, or as soon as the answer before it ends. */
  sendWaiting(id: string, prepare: Prepare): void {
    if (this.#isBusy) this.#unsent.waiting.release(id, prepare);
    const message = this.#isBusy ? undefined : this.#unsent.waiting.take(id);
    if (message) this.#ask(message.text, prepare);
    else this.#publish();
  }

  removeWaiting(id: string): void {
    this.#unsent.waiting.take(id);
    this.#publish();
  }

  /** Moves a waiting message back to where it was written, before what is written there now. */
  editWaiting(id: string): void {
    const message = this.#unsent.waiting.take(id);
    if (message) this.setDraft([message.text, this.#unsent.draft].filter(Boolean).join("\n\n"));
  }

  /** Asks a question anew in other words. It takes the place of the old one and of all that came after it. */
  edit(id: string, text: string, prepare: Prepare): void {
    if (this.#running || text.trim() === "") return;
    this.#removed = this.#messages;
    this.#unsent.question = text.trim();
    void this.#run(prepare, askingInstead(id, text.trim()));
  }

  /** Asks the last question again, without the answer that it got. */
  retry(prepare: Prepare): void {
    if (this.#running || this.#messages.length === 0) return;
    const last = this.#messages.at(-1);
    this.#removed = last?.role === "assistant" && last.text !== "" ? this.#messages : undefined;
    void this.#run(prepare, askingAgain);
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
    const change = withResult(last.id, callId, result);
    const messages = change(this.#messages);
    const answer = messages.at(-1);
    const isComplete = answer?.role === "assistant" && answer.toolCalls.every((call) => call.result !== undefined);
    if (isComplete) return void this.#run(prepare, change);
    this.#messages = messages;
    this.#save();
    this.#publish();
  }

  /** Stops the answer. What waits for its end is not sent by itself any more. */
  stop(): void {
    if (!this.#running) return;
    this.#unsent.waiting.hold();
    this.#running.abort();
  }

  /** Takes over what another tab has saved. */
  async reload(): Promise<void> {
    if (this.#running) return;
    const newer = await this.#record.readNewer();
    if (!newer || this.#running) return;
    this.#messages = newer.conversation.messages.map(asLoaded);
    this.#tools = newer.conversation.tools ?? [];
    this.#record.takeOver(newer.revision);
    this.#publish();
  }

  /** Stays on the screen, and is saved no more. */
  markDeleted(): void {
    this.#record.isDeleted = true;
    this.#publish();
  }

  /** Saves a conversation again that another tab has deleted. */
  keep(): void {
    this.#record.isDeleted = false;
    this.#save();
    this.#publish();
  }

  get #isBusy(): boolean {
    return this.#running !== undefined || this.uploads.snapshot().some(({ stage }) => !isSettled(stage));
  }

  #onUploads(): void {
    const next = this.#isBusy ? undefined : this.#nextWaiting();
    if (next) this.#ask(next.text, next.prepare);
    else this.#publish();
  }

  /** The message to send now. A file that is not stored holds all back: the question may be about it. */
  #nextWaiting(): { text: string; prepare: Prepare } | undefined {
    if (this.uploads.snapshot().some(({ stage }) => canRetry(stage))) this.#unsent.waiting.hold();
    return this.#unsent.waiting.takeNext();
  }

  #ask(text: string, prepare: Prepare): void {
    const stored = this.uploads.snapshot().filter(({ stage }) => stage.name === "saved" || stage.name === "skipped");
    this.#removed = undefined;
    this.#unsent.question = text;
    const attachments = stored.map(({ name }) => name);
    void this.#run(prepare, asking(text, attachments));
    this.uploads.clear();
  }

  async #run(prepare: Prepare, change: Change): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.#record.isDeleted = false;
    const before = this.#messages;
    this.#messages = change(before);
    this.#publish();
    let isDone = false;
    try {
      // One tab at a time: the other one's answer is part of the conversation before this one is asked for.
      await navigator.locks.request(`conversation ${this.id}`, { signal: running.signal }, async () => {
        const newer = await this.#record.readNewer();
        if (newer) this.#messages = change(newer.conversation.messages.map(asLoaded));
        isDone = (await this.#answer(prepare, running.signal)) === "done";
        this.#save();
      });
    } catch (error) {
      if (!running.signal.aborted) throw error;
    } finally {
      this.#running = undefined;
    }
    if (!isDone) this.#unsent.waiting.hold();
    const next = this.#isBusy ? undefined : this.#nextWaiting();
    if (next) this.#ask(next.text, next.prepare);
    else this.#publish();
  }

  async #answer(prepare: Prepare, signal: AbortSignal): Promise<AssistantMessage["state"]> {
    const ids = { threadId: this.id, runId: crypto.randomUUID() };
    const request = prepare(this.#messages, ids);
    const log = new WireLog(request, () => performance.now());
    const answer = newAnswer(ids.runId, request.namespace);
    this.#namespace ??= request.namespace;
    this.#wire = log;
    this.#messages = [...this.#messages, answer];
    this.#save();
    this.#unsent.question = undefined;
    this.#publish();
    const show = (next: AssistantMessage) => {
      this.#messages = this.#messages.map((message) => (message.id === next.id ? next : message));
      this.#publishSoon();
    };
    return runAnswer(this.#protocol, request, answer, { log, signal, show });
  }

  #save(): void {
    this.#record.save({ messages: this.#messages, namespace: this.#namespace, tools: this.#tools });
  }

  /** Where a conversation that is not saved is found again: after a reload its agent has another new one. */
  get #unsentKey(): string {
    return this.#record.wasSaved ? this.id : this.agent;
  }

  #publishSoon(): void {
    if (this.#record.isDue) this.#save();
    this.#frame ??= requestAnimationFrame(() => this.#publish());
  }

  #publish(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#unsent.keep(this.#unsentKey, this.#record.wasSaved ? noTools : this.#tools);
    this.#snapshot = this.#takeSnapshot();
    for (const listener of this.#listeners) listener();
  }

  #takeSnapshot(): ChatSnapshot {
    const removed = this.#removed?.filter(({ id }) => !this.#messages.some((message) => message.id === id));
    return {
      messages: this.#messages,
      running: this.#running !== undefined,
      namespace: this.#namespace,
      draft: this.#unsent.draft,
      waiting: this.#unsent.waiting.all,
      tools: this.#tools,
      uploads: this.uploads.snapshot(),
      removedCount: removed?.length ?? 0,
      isDeleted: this.#record.isDeleted,
      wire: this.#wire?.snapshot(),
    };
  }
}

/** What the page shows of a conversation. */
export interface ChatSnapshot {
  messages: readonly ChatMessage[];
  running: boolean;
  /** The only namespace of this conversation, once it has begun in one. */
  namespace: string | undefined;
  /** What is written and not submitted yet. */
  draft: string;
  waiting: readonly WaitingMessage[];
  /** What the model may call in this conversation. */
  tools: readonly object[];
  /** Files for the next question. */
  uploads: readonly Upload[];
  /** How many messages an edit or a retry has removed; these can be brought back. */
  removedCount: number;
  /** Another tab has deleted it. It is kept again as soon as the user wants it. */
  isDeleted: boolean;
  wire: WireSnapshot | undefined;
}
