// A separate thread, so that the hostile client doesn't delay it. It sends small requests one after the other and measures each.
import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { wellMadeRunId } from "../faults/well-made-requests.ts";

/** The thread's input, and its message after each pair of "start" and "stop" messages. */
export interface SmallRequest {
  url: string;
  init: RequestInit;
  /** Pause between two requests. */
  pauseMs: number;
}
export interface SmallAnswers {
  milliseconds: number[];
  /** Statuses other than 200, and connection errors. */
  failures: string[];
}

const timeoutMs = 30_000;

const { url, init, pauseMs } = workerData as SmallRequest;
// The first request of a thread loads the client, which takes longer than any response.
await (await fetch(new URL("/health", url))).text();

let answers: SmallAnswers;
let isStopped = true;
parentPort?.on("message", (message: "start" | "stop") => {
  isStopped = message === "stop";
  if (!isStopped) void sendUntilStopped();
});

async function sendUntilStopped(): Promise<void> {
  answers = { milliseconds: [], failures: [] };
  do {
    await sendOne();
    await delay(pauseMs);
  } while (!isStopped);
  parentPort?.postMessage(answers);
}

async function sendOne(): Promise<void> {
  const startedAt = performance.now();
  try {
    const body = String(init.body).replace(wellMadeRunId, randomUUID());
    const response = await fetch(url, { ...init, body, signal: AbortSignal.timeout(timeoutMs) });
    await response.text();
    if (response.status !== 200) answers.failures.push(String(response.status));
  } catch (error) {
    answers.failures.push(String(error));
  }
  answers.milliseconds.push(performance.now() - startedAt);
}
