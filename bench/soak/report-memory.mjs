// Loaded into a service before its own code. At regular intervals, appends the live memory after a full garbage collection, and the
// open handles.
import { appendFileSync } from "node:fs";

const { SOAK_FILE, SOAK_INTERVAL_MS } = process.env;
setInterval(() => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const handles = {};
  // Timers come and go with requests on keep-alive connections. The timer of this interval doesn't belong to the service.
  for (const name of process.getActiveResourcesInfo()) {
    if (name !== "Timeout" && name !== "Immediate") handles[name] = (handles[name] ?? 0) + 1;
  }
  appendFileSync(SOAK_FILE, `${JSON.stringify({ seconds: process.uptime(), heapUsed, external, handles })}\n`);
}, Number(SOAK_INTERVAL_MS)).unref();
