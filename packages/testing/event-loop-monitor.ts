// Loaded into a service by `--import`: writes a line to file descriptor 3 for each turn that held the event loop for too long,
// with the milliseconds that it took.
import { writeSync } from "node:fs";

/** File descriptor that the test reads. */
const reportFd = 3;
const tickMs = 10;
/**
 * The target is 50 ms. Where other tests share the processor's caches and hyper-threads, the same work takes up to twice as long,
 * and what this looks for takes hundreds.
 */
const maxTurnMs = 100;

// Time of the thread's own work, not of the clock: a machine that is busy with other processes makes every timer late.
let usage = process.threadCpuUsage();
let tickAt = performance.now();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(usage);
  const workedMs = (user + system) / 1_000;
  const now = performance.now();
  const lateMs = now - tickAt - tickMs;
  if (workedMs > maxTurnMs && lateMs > maxTurnMs) writeSync(reportFd, `${Math.round(workedMs)}\n`);
  usage = process.threadCpuUsage();
  tickAt = now;
}, tickMs).unref();
