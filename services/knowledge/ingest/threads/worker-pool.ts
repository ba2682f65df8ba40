import { Worker } from "node:worker_threads";

/** A thread is replaced after this many tasks, so that what a library leaves behind can't pile up. */
const tasksPerWorker = 100;

/**
 * V8 ends the whole process when a thread outruns its own limit fast enough, so that one lies well above the memory at
 * which whoever borrowed the thread ends it.
 */
const heapHeadroom = 2;

/** A text passes through a thread a piece at a time, and what is left of the pieces is collected the sooner the smaller this is. */
const maxYoungGenerationSizeMb = 6;

/** A thread without work is ended after this time. */
const idleTimeoutMs = 30_000;

interface IdleWorker {
  worker: Worker;
  maxMemoryMb: number;
  tasks: number;
  timer: NodeJS.Timeout;
}

/** A thread on loan: given back when it is fit for the next task, else ended. */
export interface BorrowedWorker {
  worker: Worker;
  giveBack(): void;
  end(): Promise<void>;
}

/** Threads of one program, started when they are needed and kept for a while. Idle ones don't keep the process alive. */
export class WorkerPool {
  readonly #entry: URL;
  readonly #idle = new Set<IdleWorker>();

  constructor(entry: URL) {
    this.#entry = entry;
  }

  /** A thread for a task that takes up to `maxMemoryMb`, which the borrower watches. */
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
      giveBack: () => (tasks < tasksPerWorker ? this.#keep(worker, maxMemoryMb, tasks) : void end()),
    };
  }

  #start(maxMemoryMb: number): Worker {
    const worker = new Worker(this.#entry, {
      resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb * heapHeadroom, maxYoungGenerationSizeMb },
      // The work needs no settings, and least of all a key.
      env: {},
      execArgv: [],
      stdout: true,
      stderr: true,
    });
    worker.on("exit", () => {
      for (const idle of this.#idle) if (idle.worker === worker) this.#idle.delete(idle);
    });
    // What fails while nobody waits ends the thread, and that is all there is to do about it.
    worker.on("error", () => undefined);
    return worker;
  }

  #keep(worker: Worker, maxMemoryMb: number, tasks: number): void {
    const timer = setTimeout(() => void worker.terminate(), idleTimeoutMs).unref();
    worker.unref();
    this.#idle.add({ worker, maxMemoryMb, tasks, timer });
  }
}
