import type { AttachedImage } from "../conversations/attached-images.ts";
import type { Conversation } from "../conversations/conversation.ts";
import type { ConversationStore } from "../conversations/conversation-store.ts";
import type { AssistantMessage, ChatMessage } from "../conversations/messages.ts";
import { createAnswer, toLoaded } from "../conversations/messages.ts";
import type { AgentName } from "../routes.ts";
import { Store } from "../store.ts";
import { canRetry, isSettled } from "../uploads/stages.ts";
import type { Upload } from "../uploads/upload-queue.ts";
import { UploadQueue } from "../uploads/upload-queue.ts";
import type { WireSnapshot } from "../wire/wire-log.ts";
import { WireLog } from "../wire/wire-log.ts";
import { ConversationRecord } from "./conversation-record.ts";
import type { Change } from "./message-changes.ts";
import { addQuestion, dropLastAnswer, replaceQuestion, setToolResult } from "./message-changes.ts";
import type { Prepare, Protocol } from "./protocol.ts";
import { streamAnswer } from "./stream-answer.ts";
import { Unsent } from "./unsent.ts";
import type { WaitingMessage } from "./waiting-messages.ts";

/** The displayed state of a conversation. */
export interface ChatSnapshot {
  messages: readonly ChatMessage[];
  running: boolean;
  /** The namespace of the conversation, once it has begun. It never changes. */
  namespace: string | undefined;
  /** Text that has not been submitted yet. */
  draft: string;
  waiting: readonly WaitingMessage[];
  /** Tools that the model may call in this conversation. */
  tools: readonly object[];
  /** Files for the next question. */
  uploads: readonly Upload[];
  /** Images that are sent with the next question. */
  images: readonly AttachedImage[];
  /** Number of messages that an edit or a retry has removed and that can be restored. */
  removedCount: number;
  /** Another tab has deleted the conversation. It is saved again once the user continues it. */
  isDeleted: boolean;
  wire: WireSnapshot | undefined;
}

const noTools: readonly object[] = [];

/**
 * Maximum time to wait for a conversation's lock. After a reload, the previous page may hold it for a moment; another tab that reads an
 * answer holds it for longer.
 */
const maxLockWaitMs = 5_000;

/** One conversation with one agent. Its answers continue while another view is shown. */
export class ChatSession extends Store<ChatSnapshot> {
  /** Files for the next question, which waits until they are stored. */
  readonly uploads = new UploadQueue();
  readonly #protocol: Protocol;
  readonly #record: ConversationRecord;
  readonly #unsent: Unsent;
  #namespace: string | undefined;
  #messages: readonly ChatMessage[];
  #removed: readonly ChatMessage[] | undefined;
  #tools: readonly object[];
  #images: readonly AttachedImage[] = [];
  #running: AbortController | undefined;
  #wire: WireLog | undefined;
  #frame: number | undefined;

  constructor(protocol: Protocol, store: ConversationStore, conversation: Conversation, revision?: string) {
    super();
    this.#protocol = protocol;
    this.#record = new ConversationRecord(store, conversation, revision);
    this.#namespace = conversation.namespace;
    this.#messages = conversation.messages.map(toLoaded);
    this.#unsent = new Unsent(this.#unsentKey);
    this.#tools = conversation.tools ?? this.#unsent.tools;
    this.uploads.subscribe(() => this.#askNext());
  }

  get id(): string {
    return this.#record.id;
  }

  get agent(): AgentName {
    return this.#record.agent;
  }

  /** Whether the conversation can be dropped from memory, because everything in it is saved. */
  get isIdle(): boolean {
    return (
      !this.#isBusy &&
      this.#unsent.draft === "" &&
      this.#unsent.waiting.all.length === 0 &&
      this.#images.length === 0 &&
      !this.#removed &&
      !this.#record.isDeleted
    );
  }

  setDraft(text: string): void {
    this.#unsent.draft = text;
    this.publish();
  }

  setImages(images: readonly AttachedImage[]): void {
    this.#images = images;
    this.publish();
  }

  /** Sets the tools that the model may call from now on. */
  setTools(tools: readonly object[]): void {
    this.#tools = tools;
    this.#save();
    this.publish();
  }

  /** Whether a text can be submitted. It must not be blank, and if it has to wait, the queue must have a free slot. */
  canSend(text: string): boolean {
    return text.trim() !== "" && !(this.#isBusy && this.#unsent.waiting.isFull);
  }

  /** Sends a question at once, or when the current answer is complete and all files are stored. */
  send(text: string, prepare: Prepare): void {
    if (!this.canSend(text)) return;
    if (this.#isBusy) {
      this.#unsent.waiting.add(text.trim(), prepare);
      this.publish();
    } else this.#ask(text.trim(), prepare);
  }

  /** Sends a held message now, or when the current answer is complete. */
  sendWaiting(id: string, prepare: Prepare): void {
    if (this.#isBusy) this.#unsent.waiting.release(id, prepare);
    const message = this.#isBusy ? undefined : this.#unsent.waiting.take(id);
    if (message) this.#ask(message.text, prepare);
    else this.publish();
  }

  removeWaiting(id: string): void {
    this.#unsent.waiting.take(id);
    this.publish();
  }

  /** Moves a waiting message back into the composer, before the current draft. */
  editWaiting(id: string): void {
    const message = this.#unsent.waiting.take(id);
    if (message) this.setDraft([message.text, this.#unsent.draft].filter(Boolean).join("\n\n"));
  }

  /** Replaces a question and everything after it, and sends the new question. */
  edit(id: string, text: string, prepare: Prepare): void {
    if (this.#running || text.trim() === "") return;
    this.#removed = this.#messages;
    this.#unsent.question = text.trim();
    void this.#run(prepare, replaceQuestion(id, text.trim()));
  }

  /** Drops the last answer and sends its question again. */
  retry(prepare: Prepare): void {
    if (this.#running || this.#messages.length === 0) return;
    const last = this.#messages.at(-1);
    this.#removed = last?.role === "assistant" && last.text !== "" ? this.#messages : undefined;
    void this.#run(prepare, dropLastAnswer);
  }

  /** Restores the messages that the last edit or retry removed. */
  undoRemoval(): void {
    if (!this.#removed) return;
    this.stop();
    this.#messages = this.#removed;
    this.#removed = undefined;
    this.#save();
    this.publish();
  }

  /** Sets the result of a tool call of the last answer. Once all calls have results, the conversation continues. */
  giveResult(callId: string, result: unknown, prepare: Prepare): void {
    const last = this.#messages.at(-1);
    if (this.#running || last?.role !== "assistant") return;
    const change = setToolResult(last.id, callId, result);
    const messages = change(this.#messages);
    const answer = messages.at(-1);
    const isComplete = answer?.role === "assistant" && answer.toolCalls.every((call) => call.result !== undefined);
    if (isComplete) return void this.#run(prepare, change);
    this.#messages = messages;
    this.#save();
    this.publish();
  }

  /** Stops the answer. Waiting messages are held. */
  stop(): void {
    if (!this.#running) return;
    this.#unsent.waiting.hold();
    this.#running.abort();
  }

  /** Loads the conversation as saved by another tab. */
  async reload(): Promise<void> {
    if (this.#running) return;
    const newer = await this.#record.readNewer();
    if (!newer || this.#running) return;
    this.#messages = newer.conversation.messages.map(toLoaded);
    this.#tools = newer.conversation.tools ?? [];
    this.#record.takeOver(newer.revision);
    this.publish();
  }

  /** Marks the conversation as deleted by another tab. It stays on the screen but isn't saved again. */
  markDeleted(): void {
    this.#record.isDeleted = true;
    this.publish();
  }

  /** Saves the conversation again after another tab deleted it. */
  restoreDeleted(): void {
    this.#record.isDeleted = false;
    this.#save();
    this.publish();
  }

  get #isBusy(): boolean {
    return this.#running !== undefined || this.uploads.snapshot().some(({ stage }) => !isSettled(stage));
  }

  /** Sends the next waiting message if nothing is running. */
  #askNext(): void {
    // A file that could not be stored holds all messages, because they may refer to it.
    const { waiting } = this.#unsent;
    if (!this.#isBusy && this.uploads.snapshot().some(({ stage }) => canRetry(stage))) waiting.hold();
    const next = this.#isBusy ? undefined : waiting.takeNext();
    if (next) this.#ask(next.text, next.prepare);
    else this.publish();
  }

  #ask(text: string, prepare: Prepare): void {
    const stored = this.uploads.snapshot().filter(({ stage }) => stage.name === "saved" || stage.name === "skipped");
    this.#removed = undefined;
    this.#unsent.question = text;
    const attachments = stored.map(({ name }) => name);
    void this.#run(prepare, addQuestion(text, attachments, this.#images));
    this.#images = [];
    this.uploads.clear();
  }

  /** Resumes an answer that was streaming when the page was left, if its agent has kept it and no other tab reads it. */
  async resume(prepare: Prepare): Promise<void> {
    if (this.#running || this.#resumableAnswer === undefined) return;
    const signal = AbortSignal.timeout(maxLockWaitMs);
    try {
      await navigator.locks.request(this.#lock, { signal }, async () => {
        const left = this.#resumableAnswer;
        if (this.#running || left === undefined) return;
        const running = new AbortController();
        this.#running = running;
        this.#messages = dropLastAnswer(this.#messages);
        await this.#answer(prepare, running.signal, left);
        this.#save();
        this.#running = undefined;
      });
    } catch (error) {
      if (!signal.aborted) throw error;
    }
    this.publish();
  }

  /** The last answer, if the page was left while it was streaming. */
  get #resumableAnswer(): AssistantMessage | undefined {
    const last = this.#messages.at(-1);
    return last?.role === "assistant" && last.state === "streaming" ? last : undefined;
  }

  get #lock(): string {
    return `conversation ${this.id}`;
  }

  /**
   * Runs work while no other tab answers in this conversation. `hasWaited` is true after waiting for another tab's answer, which may
   * have been stopped.
   */
  async #inTurn(signal: AbortSignal, work: (hasWaited: boolean) => Promise<void>): Promise<void> {
    const wasFree = await navigator.locks.request(this.#lock, { ifAvailable: true }, async (lock) => {
      if (lock) await work(false);
      return lock !== null;
    });
    if (!wasFree) await navigator.locks.request(this.#lock, { signal }, () => work(true));
  }

  async #run(prepare: Prepare, change: Change): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    this.#record.isDeleted = false;
    const before = this.#messages;
    this.#messages = change(before);
    this.publish();
    let isDone = false;
    try {
      // Wait for another tab's answer: it must be part of the conversation when this question is sent.
      await this.#inTurn(running.signal, async (hasWaited) => {
        const newer = await this.#record.readNewer();
        const saved = newer?.conversation.messages.map(toLoaded);
        const last = saved?.at(-1);
        if (newer && saved && hasWaited && last?.role === "assistant" && last.state !== "done") {
          this.#record.takeOver(newer.revision);
          this.#holdQuestion(saved);
          return;
        }
        if (saved) this.#messages = change(saved);
        isDone = (await this.#answer(prepare, running.signal)) === "done";
        this.#save();
        await this.#record.written();
      });
    } catch (error) {
      if (!running.signal.aborted) throw error;
      // The user stopped it while another tab's answer was running.
      this.#holdQuestion(before);
    } finally {
      this.#running = undefined;
    }
    if (!isDone) this.#unsent.waiting.hold();
    this.#askNext();
  }

  /** Removes a question that was not sent from the conversation. */
  #holdQuestion(messages: readonly ChatMessage[]): void {
    this.#messages = messages;
    this.#unsent.holdQuestion();
  }

  /** @param left an answer to resume */
  async #answer(prepare: Prepare, signal: AbortSignal, left?: AssistantMessage): Promise<AssistantMessage["state"]> {
    const ids = { threadId: this.id, runId: left?.id ?? crypto.randomUUID() };
    const asked = prepare(this.#messages, ids);
    const request = { ...asked, open: (left && asked.keptRun?.open) ?? asked.open };
    const log = new WireLog(request, () => performance.now());
    const answer = createAnswer(ids.runId, request.namespace);
    this.#namespace ??= request.namespace;
    this.#wire = log;
    this.#messages = [...this.#messages, answer];
    this.#save();
    this.publish();
    // Store the question before sending it, so that a reload right afterwards doesn't lose it.
    await this.#record.written();
    this.#unsent.question = undefined;
    let isBegun = false;
    const onAnswer = (received: AssistantMessage) => {
      // If the run can no longer be read, keep the text that was already shown.
      const isGone = left !== undefined && received.state === "failed" && received.text.length < left.text.length;
      const next = isGone ? { ...left, state: "stopped" as const } : received;
      this.#messages = this.#messages.map((message) => (message.id === next.id ? next : message));
      // From here on, leaving the page would lose something.
      if (!isBegun && (next.isKept || next.text !== "")) this.#save();
      isBegun ||= next.isKept === true || next.text !== "";
      this.#publishSoon();
    };
    return streamAnswer(this.#protocol, request, answer, { log, signal, onAnswer });
  }

  #save(): void {
    this.#record.save({ messages: this.#messages, namespace: this.#namespace, tools: this.#tools });
  }

  /** A conversation that isn't saved gets a new id after a reload, so its input is stored under the agent's name. */
  get #unsentKey(): string {
    return this.#record.wasSaved ? this.id : this.agent;
  }

  #publishSoon(): void {
    if (this.#record.isDue) this.#save();
    this.#frame ??= requestAnimationFrame(() => this.publish());
  }

  protected override publish(): void {
    if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    this.#frame = undefined;
    this.#unsent.store(this.#unsentKey, this.#record.wasSaved ? noTools : this.#tools);
    super.publish();
  }

  protected buildSnapshot(): ChatSnapshot {
    const removed = this.#removed?.filter(({ id }) => !this.#messages.some((message) => message.id === id));
    return {
      messages: this.#messages,
      running: this.#running !== undefined,
      namespace: this.#namespace,
      draft: this.#unsent.draft,
      waiting: this.#unsent.waiting.all,
      tools: this.#tools,
      uploads: this.uploads.snapshot(),
      images: this.#images,
      removedCount: removed?.length ?? 0,
      isDeleted: this.#record.isDeleted,
      wire: this.#wire?.snapshot(),
    };
  }
}
