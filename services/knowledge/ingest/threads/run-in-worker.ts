import { rm } from "node:fs/promises";
import { availableParallelism } from "node:os";
import type { Worker } from "node:worker_threads";
import PQueue from "p-queue";
import { ExtractionError } from "../extract/document.ts";
import type { ExtractionLimits } from "../extract/formats.ts";
import type { PreparedDocument } from "../prepare.ts";
import { temporaryPath } from "../temporary-files.ts";
import { TextFile } from "../text-file.ts";
import type { WorkerAnswer, WorkerTask } from "./worker.ts";
import { WorkerPool } from "./worker-pool.ts";

/** The entry is worker.ts when run from source, and worker.js when built. */
const pool = new WorkerPool(new URL(`./worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url));

/** One core stays free for the requests; two documents at least, so that a slow one doesn't hold up all others. */
const queue = new PQueue({ concurrency: Math.max(2, availableParallelism() - 1) });

/** How often a thread's memory is looked at. */
const memoryCheckIntervalMs = 50;

/** A thread that still holds more than this part of its memory, as after a large text, is ended rather than kept. */
const reusableShare = 1 / 8;

const bytesOfMegabyte = 1024 * 1024;

type ReadingTask = Omit<WorkerTask, "textPath">;

/**
 * Reads a document in a thread, when its turn has come. A thread that passes its deadline or its memory is ended, whatever
 * it is doing. A long text is in a file, which the caller closes. Takes over the bytes of `task.input.content`: the caller's view of them may be empty afterwards.
 *
 * @throws ExtractionError when the document can't be read, or not within the limits
 * @throws Error when the thread itself fails, and the signal's reason once it aborts
 */
export function runInWorker(task: ReadingTask, signal?: AbortSignal): Promise<PreparedDocument> {
  return queue.add(() => runNow(task, signal), signal === undefined ? {} : { signal });
}

async function runNow(task: ReadingTask, signal: AbortSignal | undefined): Promise<PreparedDocument> {
  signal?.throwIfAborted();
  const textPath = temporaryPath();
  const { worker, giveBack, end } = pool.borrow(task.limits.maxMemoryMb);
  try {
    const answer = await answerOf(worker, { ...task, textPath }, signal).catch(async (error: unknown) => {
      await end();
      throw error;
    });
    if ((await bytesHeldBy(worker)) <= task.limits.maxMemoryMb * bytesOfMegabyte * reusableShare) giveBack();
    else await end();
    if ("document" in answer) return { ...answer.document, text: answer.text ?? (await TextFile.take(textPath)) };
    throw new ExtractionError(answer.code, answer.message);
  } finally {
    await rm(textPath, { force: true });
  }
}

/** Rejects when the thread failed or has to be ended. */
async function answerOf(worker: Worker, task: WorkerTask, signal: AbortSignal | undefined): Promise<WorkerAnswer> {
  const { limits } = task;
  const { content } = task.input;
  const bytes = "bytes" in content ? transferable(content.bytes) : undefined;
  const deadline = AbortSignal.timeout(limits.timeoutMs);
  const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  const { promise, resolve, reject } = Promise.withResolvers<WorkerAnswer>();
  const onStop = () => reject(signal?.aborted ? signal.reason : timedOut(limits));
  const onError = (error: unknown) => reject(isOutOfMemory(error) ? tooMuchMemory(limits) : error);
  const onExit = (code: number) => reject(new Error(`The thread that read a document ended with code ${code}.`));
  const memoryCheck = setInterval(() => {
    bytesHeldBy(worker).then((held) => {
      if (held > limits.maxMemoryMb * bytesOfMegabyte) reject(tooMuchMemory(limits));
    });
  }, memoryCheckIntervalMs);
  stop.addEventListener("abort", onStop);
  worker.once("message", resolve).once("error", onError).once("exit", onExit);
  try {
    if (bytes === undefined) worker.postMessage(task);
    else worker.postMessage({ ...task, input: { ...task.input, content: { bytes } } }, [bytes.buffer]);
    return await promise;
  } finally {
    clearInterval(memoryCheck);
    stop.removeEventListener("abort", onStop);
    worker.off("message", resolve).off("error", onError).off("exit", onExit);
  }
}

/** Bytes whose whole memory can be handed over, copied only when they share it with others. */
function transferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
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

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function timedOut({ timeoutMs }: ExtractionLimits): ExtractionError {
  return new ExtractionError("timed_out", `The document could not be read within ${timeoutMs} ms.`);
}

function tooMuchMemory({ maxMemoryMb }: ExtractionLimits): ExtractionError {
  return new ExtractionError("too_large", `Reading the document needs more than ${maxMemoryMb} MB of memory.`);
}
