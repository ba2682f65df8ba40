// Loaded into a service with `--import`. Whenever a turn blocks the event loop for too long, it writes the milliseconds, and when the
// turn began, to file descriptor 3.
import { subscribe } from "node:diagnostics_channel";
import { writeSync } from "node:fs";

/** File descriptor that the test reads. */
const reportFd = 3;
const tickMs = 10;
const maxTurnMs = 50;
/** For a turn in which several requests begin: a service without keys doesn't space out a burst. */
const maxBurstTurnMs = 100;

let begunRequests = 0;
subscribe("http.server.request.start", () => {
  begunRequests += 1;
});

// CPU time of this thread, not only wall-clock time: every timer is late on a machine that is busy with other processes. Both have
// to be over the limit, because the kernel counts CPU time in steps of some milliseconds.
let usage = process.threadCpuUsage();
let tickAt = performance.now();
setInterval(() => {
  const { user, system } = process.threadCpuUsage(usage);
  const workedMs = (user + system) / 1_000;
  const now = performance.now();
  const lateMs = now - tickAt - tickMs;
  if (Math.min(workedMs, lateMs) > (begunRequests > 1 ? maxBurstTurnMs : maxTurnMs)) {
    writeSync(reportFd, `${Math.round(workedMs)} ${Math.round(Date.now() - (now - tickAt))}\n`);
  }
  begunRequests = 0;
  usage = process.threadCpuUsage();
  tickAt = now;
}, tickMs).unref();
