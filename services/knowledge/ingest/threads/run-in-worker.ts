import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import type { Caller } from "@agent-backends/kit";
import { FairQueue } from "@agent-backends/kit";
import { ExtractionError } from "../extract/document.ts";
import type { PreparedDocument } from "../prepare.ts";
import { temporaryPath } from "../temporary-files.ts";
import { TextFile } from "../text-file.ts";
import { sizeOf } from "./document-input.ts";
import type { WorkerAnswer, WorkerTask } from "./worker.ts";
import { WorkerPool } from "./worker-pool.ts";

/** The entry is worker.ts when run from source, and worker.js when built. */
const pool = new WorkerPool(new URL(`./worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url));

/** Larger documents hardly ever take less than `quickCpuMs`. */
const maxQuickBytes = 1024 * 1024;

/** What a document may take where it is tried first: several times what one of some pages takes in a thread that just began. */
const quickCpuMs = 500;
const quickMemoryMb = 128;

/**
 * Documents that can be quick never wait for those that are not: one that takes too much here begins again in the other queue,
 * which costs it half a second. So however slow the documents of some clients are, another one's is tried soon.
 */
const quickQueue = new FairQueue({ concurrency: 2 });

/** One core stays free for the requests. */
const slowQueue = new FairQueue({ concurrency: Math.max(1, availableParallelism() - 1) });

/** How often a thread's memory and time are looked at. */
const checkIntervalMs = 50;

/** A thread that still holds more than this, as after a large text, is ended rather than kept. */
const maxIdleMemoryMb = 64;

const bytesOfMegabyte = 1024 * 1024;

type ReadingTask = Omit<WorkerTask, "textPath">;

/** What a thread may take for one document before it is ended. */
interface ThreadBounds {
  timeoutMs: number;
  maxMemoryMb: number;
  maxCpuMs: number;
  /** What it means that a document takes more memory or CPU time. */
  onExceeded(): Error;
}

/** A document takes more than it may where it is tried first. */
class NotQuickError extends Error {
  override readonly name = "NotQuickError";
}

/**
 * Reads a document in a thread, when its client's turn has come. A thread that passes its deadline or its memory is ended,
 * whatever it is doing. A long text is in a file, which the caller closes.
 *
 * @throws ExtractionError when the document can't be read, or not within the limits
 * @throws Error when the thread itself fails, and the signal's reason once it aborts
 */
export async function runInWorker(task: ReadingTask, { client, signal }: Caller): Promise<PreparedDocument> {
  const { limits, input } = task;
  const bytes = sizeOf(input.content);
  const timeoutMs = limits.timeoutMs + Math.ceil((limits.timeoutMsPerMegabyte * bytes) / bytesOfMegabyte);
  if (bytes <= maxQuickBytes) {
    const maxMemoryMb = Math.min(quickMemoryMb, limits.maxMemoryMb);
    const bounds = { timeoutMs, maxMemoryMb, maxCpuMs: quickCpuMs, onExceeded: () => new NotQuickError() };
    try {
      return await quickQueue.add(client, () => runNow(task, bounds, signal), signal);
    } catch (error) {
      if (!(error instanceof NotQuickError)) throw error;
    }
  }
  const { maxMemoryMb } = limits;
  const onExceeded = () =>
    new ExtractionError("too_large", `Reading the document needs more than ${maxMemoryMb} MB of memory.`);
  const bounds = { timeoutMs, maxMemoryMb, maxCpuMs: Number.POSITIVE_INFINITY, onExceeded };
  return slowQueue.add(client, () => runNow(task, bounds, signal), signal);
}

async function runNow(task: ReadingTask, bounds: ThreadBounds, signal?: AbortSignal): Promise<PreparedDocument> {
  signal?.throwIfAborted();
  const textPath = temporaryPath();
  const { worker, giveBack, end } = pool.borrow(bounds.maxMemoryMb);
  try {
    const answer = await answerOf(worker, { ...task, textPath }, bounds, signal).catch(async (error: unknown) => {
      await end();
      throw error;
    });
    if ((await bytesHeldBy(worker)) <= maxIdleMemoryMb * bytesOfMegabyte) giveBack();
    else await end();
    if ("document" in answer) return { ...answer.document, text: answer.text ?? (await TextFile.take(textPath)) };
    throw new ExtractionError(answer.code, answer.message);
  } finally {
    await rm(textPath, { force: true });
  }
}

/** Rejects when the thread failed or has to be ended. */
async function answerOf(
  worker: Worker,
  task: WorkerTask,
  { timeoutMs, maxMemoryMb, maxCpuMs, onExceeded }: ThreadBounds,
  signal: AbortSignal | undefined,
): Promise<WorkerAnswer> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
  const onStop = () => reject(signal?.aborted ? signal.reason : timedOut(timeoutMs));
  const onError = (error: unknown) => reject(isOutOfMemory(error) ? onExceeded() : error);
  const onExit = (code: number) => reject(new Error(`The thread that read a document ended with code ${code}.`));
  let cpuMsBefore: number | undefined;
  const check = setInterval(async () => {
    const [held, cpuMs] = await Promise.all([bytesHeldBy(worker), cpuMsOf(worker)]);
    cpuMsBefore ??= cpuMs;
    if (held > maxMemoryMb * bytesOfMegabyte || cpuMs - cpuMsBefore > maxCpuMs) reject(onExceeded());
  }, checkIntervalMs);
  stop.addEventListener("abort", onStop);
  worker.once("message", resolve).once("error", onError).once("exit", onExit);
  try {
    worker.postMessage(task);
    return await promise;
  } finally {
    clearInterval(check);
    stop.removeEventListener("abort", onStop);
    worker.off("message", resolve).off("error", onError).off("exit", onExit);
  }
}

/** Objects and, which a thread's own limit doesn't count, buffers: what a bomb unpacks to. */
async function bytesHeldBy(worker: Worker): Promise<number> {
  try {
    const { used_heap_size, external_memory } = await worker.getHeapStatistics();
    return used_heap_size + external_memory;
  } catch {
    return 0; // The thread has ended, which is reported by its own events.
  }
}

/** CPU time that a thread has taken since it began. */
async function cpuMsOf(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return 0; // As above.
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function timedOut(timeoutMs: number): ExtractionError {
  return new ExtractionError("timed_out", `The document could not be read within ${timeoutMs} ms.`);
}
