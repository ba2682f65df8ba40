import { expect, it } from "vitest";
import { FairQueue } from "./fair-queue.ts";

/** A queue whose tasks end when they are told to, with a clock that is set by hand. */
function controlled(options: { concurrency: number; concurrencyPerClient?: number }) {
  const clock = { ms: 0 };
  const queue = new FairQueue({ ...options, now: () => clock.ms });
  const running: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (task: string, signal?: AbortSignal) => {
    const run = () => {
      running.push(task);
      return new Promise<void>((resolve) => ends.set(task, resolve));
    };
    const done = queue.add(task.slice(0, 1), run, signal);
    done.catch(() => undefined);
    return done;
  };
  const end = async (task: string, afterMs = 10) => {
    clock.ms += afterMs;
    running.splice(running.indexOf(task), 1);
    ends.get(task)?.();
    await new Promise(setImmediate);
  };
  return { add, end, running };
}

it("a client's first task is next, however many another one has waiting", async () => {
  const { add, end, running } = controlled({ concurrency: 2 });
  for (const task of ["a1", "a2", "a3", "a4"]) add(task);
  await new Promise(setImmediate);
  add("b1");
  expect(running).toEqual(["a1", "a2"]);
  await end("a1");
  expect(running).toEqual(["a2", "b1"]);
  await end("a2");
  expect(running).toEqual(["b1", "a3"]);
});

it("of clients with as many running, the one that has taken the least time is next", async () => {
  const { add, end, running } = controlled({ concurrency: 1 });
  for (const task of ["a1", "a2", "a3", "b1", "b2", "b3"]) add(task);
  await new Promise(setImmediate);
  await end("a1", 1_000);
  expect(running).toEqual(["b1"]);
  await end("b1", 10);
  expect(running).toEqual(["b2"]);
  await end("b2", 10);
  expect(running).toEqual(["b3"]);
  add("c1");
  await end("b3", 10);
  expect(running).toEqual(["c1"]);
  await end("c1", 10);
  expect(running).toEqual(["a2"]);
});

it("a client that comes back has saved up no time", async () => {
  const { add, end, running } = controlled({ concurrency: 1 });
  add("a1");
  await new Promise(setImmediate);
  for (const task of ["a2", "a3"]) add(task);
  await end("a1", 1_000);
  for (const task of ["b1", "b2", "b3", "b4"]) add(task);
  await end("a2", 1_000);
  expect(running).toEqual(["b1"]);
  await end("b1", 1_500);
  expect(running).toEqual(["a3"]);
});

it("one client gets at most its share of the running work", async () => {
  const { add, running } = controlled({ concurrency: 3, concurrencyPerClient: 2 });
  for (const task of ["a1", "a2", "a3", "b1"]) add(task);
  await new Promise(setImmediate);
  expect(running).toEqual(["a1", "a2", "b1"]);
});

it("a task whose client leaves never runs, and one that fails gives its place to the next", async () => {
  const { add, end, running } = controlled({ concurrency: 1 });
  add("a1");
  const left = new AbortController();
  const gone = add("b1", left.signal);
  add("c1");
  left.abort(new Error("the client left"));
  await expect(gone).rejects.toThrow("the client left");
  await end("a1");
  expect(running).toEqual(["c1"]);
  const queue = new FairQueue({ concurrency: 1 });
  await expect(queue.add("a", () => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
  expect(await queue.add("a", async () => "next")).toBe("next");
  await expect(queue.add("a", async () => "never", left.signal)).rejects.toThrow("the client left");
});
