import { expect, test } from "vitest";
import { Metrics } from "../observability/metrics.ts";
import { SummedMetrics } from "./summed-metrics.ts";
import type { Supervisor } from "./supervisor.ts";
import type { WorkerProcess } from "./worker-process.ts";

/** A worker with metrics of its own, without a process. */
function startWorker(open: number) {
  const own = new Metrics("test", { requests: open, streams: 0 });
  own.add({ kind: "gauge", name: "size", help: "The same for all.", together: "max", read: () => 10 + open });
  const exited = Promise.withResolvers<number>();
  const worker = {
    metrics: [] as unknown[],
    exited: exited.promise,
    async readMetrics() {
      worker.metrics = JSON.parse(JSON.stringify(await own.snapshot()));
    },
  };
  const labels = { route: "/a", method: "GET", status: 200, outcome: "finished" };
  const answer = (durationMs: number) => own.answered({ labels, durationMs, firstTokenMs: undefined });
  return { worker: worker as unknown as WorkerProcess, answer, exit: () => exited.resolve(1) };
}

test("the metrics of workers are one service's: sums, or the worst, and counters never go back", async () => {
  const running = new Set<WorkerProcess>();
  const supervisor = { running, servingCount: 2, deaths: 3 } as unknown as Supervisor;
  const metrics = new SummedMetrics("test", supervisor);
  const [one, other] = [startWorker(1), startWorker(2)];
  for (const { worker } of [one, other]) {
    running.add(worker);
    metrics.follow(worker);
  }
  const read = async () => {
    const lines = (await metrics.text()).body.split("\n");
    return (name: string) =>
      lines
        .find((line) => line.startsWith(name))
        ?.split(" ")
        .at(-1);
  };
  one.answer(3);
  other.answer(30);
  other.answer(400);
  let value = await read();
  const total = 'agent_http_requests_total{route="/a",method="GET",status="200",outcome="finished",service="test"}';
  expect(value(total)).toBe("3");
  expect(value('agent_http_request_duration_seconds_bucket{le="0.05",route="/a"')).toBe("2");
  expect(value('agent_http_request_duration_seconds_count{route="/a"')).toBe("3");
  expect(value("agent_http_requests_open")).toBe("3");
  expect(value("agent_size")).toBe("12");
  expect([value("agent_workers"), value("agent_worker_deaths_total")]).toEqual(["2", "3"]);
  // Two of three lines of each metric would be an error for Prometheus.
  const text = (await metrics.text()).body;
  expect(text.match(/^# TYPE agent_http_requests_total counter$/gm)).toHaveLength(1);

  running.delete(other.worker);
  other.exit();
  await other.worker.exited;
  one.answer(3);
  value = await read();
  expect(value(total)).toBe("4");
  expect(value('agent_http_request_duration_seconds_count{route="/a"')).toBe("4");
  expect(value("agent_http_requests_open")).toBe("1");
  const third = startWorker(0);
  running.add(third.worker);
  metrics.follow(third.worker);
  third.answer(1);
  running.delete(one.worker);
  one.exit();
  await one.worker.exited;
  expect((await read())(total)).toBe("5");
  expect((await read())(total)).toBe("5");
});
