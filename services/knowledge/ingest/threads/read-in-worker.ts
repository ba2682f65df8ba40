import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import { FairQueue } from "@agent-backends/kit";
import { temporaryPath } from "../../store/temporary-files.ts";
import type { ExtractionLimits } from "../extract/document.ts";
import { ExtractionError, ScannedPagesError } from "../extract/document.ts";
import { takePartFile } from "../large/part-file.ts";
import type { DocumentInput, PreparedDocument, ReadingCaller } from "../prepared-document.ts";
import { getInputSize, maxSmallInputSize } from "../prepared-document.ts";
import type { WorkerAnswer, WorkerMessage, WorkerTask } from "./worker.ts";
import { WorkerPool } from "./worker-pool.ts";

/** The entry file is worker.ts when run from source, and worker.js when built. */
const pool = new WorkerPool(new URL(`./worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url));

/** Limits of the first attempt at a small document: several times what a document of some pages needs in a new thread. */
const quickCpuMs = 1_000;
const quickMemoryMb = 128;

/**
 * Quick documents never wait for slow ones. A document over the quick limits starts again in the other queue, which costs a second. So
 * another client's document is tried soon, however slow the documents of some clients are.
 */
const quickQueue = new FairQueue({ concurrency: 2 });

/** Leaves one core free for requests. */
const slowQueue = new FairQueue({ concurrency: Math.max(1, availableParallelism() - 1) });

/** Interval at which a thread's memory and time are checked. */
const checkIntervalMs = 50;

/**
 * A thread that holds more than this after its task is ended instead of reused, because an idle heap doesn't shrink. The extractors of
 * all formats take about 50 MB, and Word's or PDF's alone 35. A new thread needs twenty times the CPU time for a Word file of some
 * pages.
 */
const maxIdleMemoryMb = 64;

/** Lower limit after a large document, because embedding and storing it takes long and needs the memory. */
const maxIdleMemoryMbAfterLarge = 28;

const bytesPerMegabyte = 1024 * 1024;

/** Limits of a thread for one document. A thread that exceeds them is ended. */
interface ThreadLimits {
  timeoutMs: number;
  maxMemoryMb: number;
  maxCpuMs: number;
  /** The error for a document that exceeds the memory or CPU time. */
  toError(): Error;
}

/** The document exceeds the limits of the first attempt. */
class NotQuickError extends Error {
  override readonly name = "NotQuickError";
}

/**
 * Reads a document in a worker thread when it is its client's turn. A thread that exceeds its deadline or memory limit is ended,
 * whatever it is doing. The caller closes a large document.
 *
 * @throws ExtractionError if the document can't be read, or not within the limits
 * @throws Error if the thread itself fails, and the signal's reason once it aborts
 */
export async function readInWorker(
  input: DocumentInput,
  limits: ExtractionLimits,
  caller: ReadingCaller,
): Promise<PreparedDocument> {
  const { client, signal } = caller;
  const bytes = getInputSize(input);
  const timeoutMs = limits.timeoutMs + Math.ceil((limits.timeoutMsPerMegabyte * bytes) / bytesPerMegabyte);
  const run = (bounds: ThreadLimits) => runTask({ input, limits, path: temporaryPath() }, bounds, caller);
  if (bytes <= maxSmallInputSize) {
    const maxMemoryMb = Math.min(quickMemoryMb, limits.maxMemoryMb);
    const bounds = { timeoutMs, maxMemoryMb, maxCpuMs: quickCpuMs, toError: () => new NotQuickError() };
    try {
      return await quickQueue.add(client, () => run(bounds), signal);
    } catch (error) {
      if (!(error instanceof NotQuickError)) throw error;
      caller.onProgress?.({ stage: "waiting" });
    }
  }
  const { maxMemoryMb } = limits;
  const toError = () =>
    new ExtractionError("too_large", `Reading the document needs more than ${maxMemoryMb} MB of memory.`);
  const bounds = { timeoutMs, maxMemoryMb, maxCpuMs: Number.POSITIVE_INFINITY, toError };
  return slowQueue.add(client, () => run(bounds), signal);
}

type Follower = Omit<ReadingCaller, "client">;

async function runTask(task: WorkerTask, limits: ThreadLimits, caller: Follower): Promise<PreparedDocument> {
  caller.signal?.throwIfAborted();
  caller.onProgress?.({ stage: "extracting" });
  const { worker, release, end } = pool.borrow(limits.maxMemoryMb);
  try {
    const answer = await waitForAnswer(worker, task, limits, caller).catch(async (error: unknown) => {
      await end();
      throw error;
    });
    const maxIdleMb = "parts" in answer ? maxIdleMemoryMbAfterLarge : maxIdleMemoryMb;
    if ((await getHeapBytes(worker, "total_heap_size")) <= maxIdleMb * bytesPerMegabyte) release();
    else await end();
    if ("scannedPages" in answer) throw new ScannedPagesError(answer.scannedPages);
    if ("code" in answer) throw new ExtractionError(answer.code, answer.message);
    return "parts" in answer ? await takePartFile(task.path, answer) : answer;
  } finally {
    await rm(task.path, { force: true });
  }
}

/** Rejects if the thread failed or has to be ended. */
async function waitForAnswer(
  worker: Worker,
  task: WorkerTask,
  { timeoutMs, maxMemoryMb, maxCpuMs, toError }: ThreadLimits,
  { signal, onProgress }: Follower,
): Promise<WorkerAnswer> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
  const onStop = () => reject(signal?.aborted ? signal.reason : createTimeoutError(timeoutMs));
  const onError = (error: unknown) => reject(isOutOfMemory(error) ? toError() : error);
  const onExit = (code: number) => reject(new Error(`The thread that read a document ended with code ${code}.`));
  let cpuMsBefore: number | undefined;
  const check = setInterval(async () => {
    const [heldBytes, cpuMs] = await Promise.all([getHeapBytes(worker), getCpuMs(worker)]);
    cpuMsBefore ??= cpuMs;
    if (heldBytes > maxMemoryMb * bytesPerMegabyte || cpuMs - cpuMsBefore > maxCpuMs) reject(toError());
  }, checkIntervalMs);
  const onMessage = (message: WorkerMessage) => ("stage" in message ? onProgress?.(message) : resolve(message));
  stop.addEventListener("abort", onStop);
  worker.on("message", onMessage).once("error", onError).once("exit", onExit);
  try {
    worker.postMessage(task);
    return await promise;
  } finally {
    clearInterval(check);
    stop.removeEventListener("abort", onStop);
    worker.off("message", onMessage).off("error", onError).off("exit", onExit);
  }
}

/** Memory in objects and in buffers. A thread's own limit doesn't count buffers, which is what a decompression bomb unpacks to. */
async function getHeapBytes(
  worker: Worker,
  heap: "used_heap_size" | "total_heap_size" = "used_heap_size",
): Promise<number> {
  try {
    const statistics = await worker.getHeapStatistics();
    return statistics[heap] + statistics.external_memory;
  } catch {
    return 0; // The thread has ended, which its own events report.
  }
}

/** CPU time that a thread has used since it started. */
async function getCpuMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1_000;
  } catch {
    return 0; // The thread has ended.
  }
}

const isOutOfMemory = (error: unknown): boolean => (error as { code?: string }).code === "ERR_WORKER_OUT_OF_MEMORY";

const createTimeoutError = (timeoutMs: number): ExtractionError =>
  new ExtractionError("timed_out", `The document could not be read within ${timeoutMs} ms.`);
