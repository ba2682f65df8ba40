// A thread that requests a service's /health until it is told to stop, and then reports the longest response time in milliseconds.
import { once } from "node:events";
import { parentPort, workerData } from "node:worker_threads";

const intervalMs = 20;

if (!parentPort) throw new Error("This is a thread of the benchmark.");
let isStopped = false;
once(parentPort, "message").then(() => {
  isStopped = true;
});

async function ask(): Promise<number> {
  const begun = performance.now();
  await (await fetch(`${workerData}/health`)).text();
  return performance.now() - begun;
}

// The first request loads the code it needs.
await ask();
parentPort.postMessage("watching");
let maxMs = 0;
while (!isStopped) {
  maxMs = Math.max(maxMs, await ask());
  await new Promise((resolve) => setTimeout(resolve, intervalMs));
}
parentPort.postMessage(maxMs);
