import { Worker } from "node:worker_threads";

/** Maximum number of tasks of a thread before it is replaced, so that a library's memory leak stays small. */
const maxTasksPerWorker = 100;

/**
 * V8 ends the whole process if a thread exceeds its own heap limit fast enough. That limit is therefore well above the one at which the
 * borrower ends the thread.
 */
const heapHeadroom = 2;

/** Small, because a text passes through a thread in pieces, and a small young generation collects their garbage sooner. */
const maxYoungGenerationSizeMb = 6;

const idleTimeoutMs = 30_000;

interface IdleWorker {
  worker: Worker;
  maxMemoryMb: number;
  tasks: number;
  timer: NodeJS.Timeout;
}

/** A borrowed thread. The borrower returns it if it is fit for another task, or else ends it. */
export interface BorrowedWorker {
  worker: Worker;
  release(): void;
  end(): Promise<void>;
}

/** Threads of one entry file, started on demand and kept for a while. Idle threads don't keep the process alive. */
export class WorkerPool {
  readonly #entry: URL;
  readonly #idle = new Set<IdleWorker>();

  constructor(entry: URL) {
    this.#entry = entry;
  }

  /** Borrows a thread for a task of up to `maxMemoryMb`. The borrower enforces the limit. */
  borrow(maxMemoryMb: number): BorrowedWorker {
    const idle = [...this.#idle].find((candidate) => candidate.maxMemoryMb === maxMemoryMb);
    if (idle !== undefined) {
      clearTimeout(idle.timer);
      this.#idle.delete(idle);
    }
    const worker = idle?.worker ?? this.#start(maxMemoryMb);
    const tasks = (idle?.tasks ?? 0) + 1;
    worker.ref();
    const end = async () => {
      await worker.terminate();
    };
    return {
      worker,
      end,
      release: () => (tasks < maxTasksPerWorker ? this.#addIdle(worker, maxMemoryMb, tasks) : void end()),
    };
  }

  #start(maxMemoryMb: number): Worker {
    const worker = new Worker(this.#entry, {
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb * heapHeadroom, maxYoungGenerationSizeMb },
      // The thread needs no settings, and must not see keys.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    worker.on("exit", () => {
      for (const idle of this.#idle) if (idle.worker === worker) this.#idle.delete(idle);
    });
    // An error while the thread is idle ends it, which "exit" handles.
    worker.on("error", () => undefined);
    return worker;
  }

  #addIdle(worker: Worker, maxMemoryMb: number, tasks: number): void {
    const timer = setTimeout(() => void worker.terminate(), idleTimeoutMs).unref();
    worker.unref();
    this.#idle.add({ worker, maxMemoryMb, tasks, timer });
  }
}
