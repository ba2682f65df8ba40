// Loaded into the server before its own code: appends what is alive after a full collection, every so often.
import { appendFileSync } from "node:fs";

const { SOAK_FILE, SOAK_INTERVAL_MS } = process.env;
setInterval(() => {
  globalThis.gc();
  const { rss, heapUsed, external } = process.memoryUsage();
  appendFileSync(SOAK_FILE, `${JSON.stringify({ seconds: process.uptime(), rss, heapUsed, external })}\n`);
}, Number(SOAK_INTERVAL_MS)).unref();
