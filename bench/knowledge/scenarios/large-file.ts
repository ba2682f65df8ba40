import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Server } from "../../harness/processes.ts";
import { forgetPeak, memory } from "../../harness/processes.ts";
import { upload } from "../client.ts";
import { makeText } from "../corpus.ts";
import { makeStore, pooled, startKnowledge, untilIdle } from "../servers.ts";
import type { Scenario } from "./scenario.ts";

const bytes = 50 * 1024 * 1024;
const warmUpBytes = 500_000;

/** Memory usage during the ingest of one large file, and the response time of other requests in the meantime. */
export const largeFile: Scenario = {
  title: "A file of 50 MB",
  metrics: {
    grownMegabytes: {
      title: "memory at its peak above before, a text of 50 MB",
      unit: "MB",
      digits: 0,
      goal: { atMost: 60 },
    },
    healthMs: { title: "longest answer of `/health` meanwhile", unit: "ms", digits: 0, goal: { atMost: 100 } },
    seconds: { title: "time of the ingest", unit: "s", digits: 1 },
  },
  async measure({ pairs, scale }, given, report) {
    const provider = pooled(given);
    for (let pair = 0; pair < pairs; pair++) {
      const store = await makeStore();
      const service = await startKnowledge(store.path, provider);
      await upload(service, "warm-up", { name: "warm-up.txt", text: makeText(1, { bytes: warmUpBytes }) });
      await untilIdle(service);
      const text = makeText(2_000 + pair, { bytes: bytes * scale - 2_000 });
      const before = memory(service.pid).now;
      forgetPeak(service.pid);
      const health = await watchHealth(service);
      const begun = performance.now();
      await upload(service, "default", { name: "large.txt", text });
      const seconds = (performance.now() - begun) / 1_000;
      const healthMs = await health.stop();
      const grownMegabytes = (memory(service.pid).peak - before) / 2 ** 20;
      await service.close();
      await store.remove();
      report({ grownMegabytes, healthMs, seconds });
    }
  },
};

/**
 * Repeatedly requests a service's health, in a separate thread, so that the time this thread needs to send a file isn't counted as the
 * service's.
 */
async function watchHealth({ baseUrl }: Server): Promise<{ stop(): Promise<number> }> {
  const watcher = new Worker(new URL("../health-watcher.ts", import.meta.url), { workerData: baseUrl });
  await once(watcher, "message");
  return {
    async stop() {
      const answered = once(watcher, "message");
      watcher.postMessage("stop");
      const [maxMs] = await answered;
      return Number(maxMs);
    },
  };
}
