// Loaded into a service with `--import`. Writes a line to file descriptor 3 for each event loop turn that takes too long, and for each long
// garbage collection: the kind, its milliseconds, its start and end, its limit, and how many times slower this processor is than the one
// that the limits are for.
import { subscribe } from "node:diagnostics_channel";
import { writeSync } from "node:fs";
import { PerformanceObserver } from "node:perf_hooks";
import { measureSlowness } from "./processor-speed.ts";

/** File descriptor that the test reads. */
const reportFd = 3;
const tickMs = 10;
const maxTurnMs = 50;
/** Limit for a turn in which several requests start: a service without keys doesn't space out a burst. */
const maxBurstTurnMs = 100;

const minCollectionMs = 5;

/** In a node:cluster worker this file descriptor is the connection to the primary. */
const isWorker = process.channel !== undefined;

function report(what: "turn" | "collection", ms: number, beganAt: number, endedAt: number, maxMs = 0): void {
  if (isWorker) return;
  const times = [ms, performance.timeOrigin + beganAt, performance.timeOrigin + endedAt, maxMs].map(Math.round);
  const slowness = what === "turn" ? measureSlowness() : 1;
  writeSync(reportFd, `${what} ${times.join(" ")} ${slowness.toFixed(2)}\n`);
}

new PerformanceObserver((list) => {
  for (const { duration, startTime } of list.getEntries()) {
    if (duration >= minCollectionMs) report("collection", duration, startTime, startTime + duration);
  }
}).observe({ entryTypes: ["gc"] });

let begunRequests = 0;
subscribe("http.server.request.start", () => {
  begunRequests += 1;
});

// Measures CPU time of this thread as well as wall-clock time: on a machine that is busy with other processes every timer is late. Both
// have to exceed the limit, because the kernel counts CPU time in steps of some milliseconds.
let usage = process.threadCpuUsage();
let tickAt = performance.now();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(usage);
  const workedMs = (user + system) / 1_000;
  const now = performance.now();
  const lateMs = now - tickAt - tickMs;
  const maxMs = begunRequests > 1 ? maxBurstTurnMs : maxTurnMs;
  if (Math.min(workedMs, lateMs) > maxMs) report("turn", workedMs, tickAt, now, maxMs);
  begunRequests = 0;
  usage = process.threadCpuUsage();
  tickAt = now;
}, tickMs).unref();
