import { expect, test } from "vitest";
import { JobList } from "./job-list.ts";
import type { JobState } from "./job-store.ts";

const buildState = (id: string) =>
  ({
    owner: "key",
    job: { job_id: id, namespace: "n", created_at: `2026-11-23T12:00:0${id}Z`, status: "running" },
  }) as JobState;

test("a job that was accepted during another listing is in the next list, whichever ends first", async () => {
  const list = new JobList();
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  // It began before the second job was there, and ends while that one is listed.
  const earlier = list.findUnfinished(["1"], async (id) => {
    await goOn;
    return buildState(id);
  });
  const later = list.list({ owner: "key", limit: 10 }, ["2", "1"], async (id) => {
    if (id === "1") {
      resolve();
      await earlier;
    }
    return buildState(id);
  });
  expect((await later).map(({ job_id }) => job_id)).toEqual(["2", "1"]);
});
