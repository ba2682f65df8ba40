import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import PQueue from "p-queue";
import type { ExtractedDocument } from "./document.ts";
import { ExtractionError } from "./document.ts";
import type { WorkerAnswer, WorkerTask } from "./worker.ts";

/** The entry is worker.ts when run from source, and worker.js when built. */
const entry = new URL(`./worker${import.meta.url.endsWith(".ts") ? ".ts" : ".js"}`, import.meta.url);

/** One core stays free for the requests; two documents at least, so that a slow one doesn't hold up all others. */
const queue = new PQueue({ concurrency: Math.max(2, availableParallelism() - 1) });

/** How often a thread's memory is looked at. */
const memoryCheckIntervalMs = 100;

const bytesOfMegabyte = 1024 * 1024;

/**
 * Reads a document in a thread of its own, when its turn has come. A thread that passes its deadline or its memory is
 * ended, whatever it is doing. Takes over `task.input.bytes`: the caller's view of them may be empty afterwards.
 *
 * @throws ExtractionError when the document can't be read, or not within the limits
 * @throws Error when the thread itself fails, and the signal's reason once it aborts
 */
export function runInWorker(task: WorkerTask, signal?: AbortSignal): Promise<ExtractedDocument> {
  return queue.add(() => runNow(task, signal), signal === undefined ? {} : { signal });
}

async function runNow(task: WorkerTask, signal: AbortSignal | undefined): Promise<ExtractedDocument> {
  signal?.throwIfAborted();
  const { timeoutMs, maxMemoryMb } = task.limits;
  const bytes = transferable(task.input.bytes);
  const worker = new Worker(entry, {
    workerData: { ...task, input: { ...task.input, bytes } } satisfies WorkerTask,
    transferList: [bytes.buffer],
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
    // A document's reader needs no settings, and least of all a key.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
  });
  const deadline = AbortSignal.timeout(timeoutMs);
  const stop = signal === undefined ? deadline : AbortSignal.any([deadline, signal]);
  let memoryCheck: NodeJS.Timeout | undefined;
  try {
    return await new Promise<ExtractedDocument>((resolve, reject) => {
      stop.addEventListener("abort", () => reject(signal?.aborted ? signal.reason : timedOut(timeoutMs)));
      memoryCheck = setInterval(() => {
        bytesHeldBy(worker).then((held) => {
          if (held > maxMemoryMb * bytesOfMegabyte) reject(tooMuchMemory(maxMemoryMb));
        });
      }, memoryCheckIntervalMs);
      worker.once("message", (answer: WorkerAnswer) => {
        if ("document" in answer) resolve(answer.document);
        else reject(new ExtractionError(answer.code, answer.message));
      });
      worker.once("error", (error) => reject(isOutOfMemory(error) ? tooMuchMemory(maxMemoryMb) : error));
      worker.once("exit", (code) => reject(new Error(`The thread that read a document ended with code ${code}.`)));
    });
  } finally {
    clearInterval(memoryCheck);
    await worker.terminate();
  }
}

/** Bytes whose whole memory can be handed over, copied only when they share it with others. */
function transferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer } = bytes;
  const isAlone = buffer instanceof ArrayBuffer && bytes.byteLength === buffer.byteLength;
  return isAlone ? new Uint8Array(buffer) : new Uint8Array(bytes);
}

/** Objects and, which `resourceLimits` doesn't count, buffers: what a bomb unpacks to. */
async function bytesHeldBy(worker: Worker): Promise<number> {
  try {
    const { used_heap_size, external_memory } = await worker.getHeapStatistics();
    return used_heap_size + external_memory;
  } catch {
    return 0; // The thread has ended, and its answer is on the way.
  }
}

function isOutOfMemory(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY";
}

function timedOut(timeoutMs: number): ExtractionError {
  return new ExtractionError("timed_out", `The document could not be read within ${timeoutMs} ms.`);
}

function tooMuchMemory(maxMemoryMb: number): ExtractionError {
  return new ExtractionError("too_large", `Reading the document needs more than ${maxMemoryMb} MB of memory.`);
}
