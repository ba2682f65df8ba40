// Loaded into a service before its own code: appends what is alive after a full collection, and what is open, every so often.
import { appendFileSync } from "node:fs";

const { SOAK_FILE, SOAK_INTERVAL_MS } = process.env;
setInterval(() => {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  const handles = {};
  // Timers come and go with requests that are kept alive; the one of this interval is not the service's.
  for (const name of process.getActiveResourcesInfo()) {
    if (name !== "Timeout" && name !== "Immediate") handles[name] = (handles[name] ?? 0) + 1;
  }
  appendFileSync(SOAK_FILE, `${JSON.stringify({ seconds: process.uptime(), heapUsed, external, handles })}\n`);
}, Number(SOAK_INTERVAL_MS)).unref();
