import { setTimeout } from "node:timers/promises";
import { startObjectStore } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { connect } from "@lancedb/lancedb";
import { afterAll, describe, expect, it } from "vitest";
import { FolderLeases } from "../../../store/lance/leases/folder-leases.ts";
import { LanceLeases } from "../../../store/lance/leases/lance-leases.ts";
import type { Leases } from "../../../store/lance/leases/leases.ts";

const leaseMs = 300;
const folder = await createTemporaryFolder();
const objectStore = await startObjectStore();
const awsAccessKeyId = "test";
const connection = await connect(objectStore.location, {
  readConsistencyInterval: 0,
  storageOptions: {
    awsEndpoint: objectStore.variables.AWS_ENDPOINT ?? "",
    awsRegion: "us-east-1",
    awsAccessKeyId,
    awsSecretAccessKey: awsAccessKeyId,
    allowHttp: "true",
  },
});
afterAll(async () => {
  connection.close();
  await objectStore.close();
});

describe.each<[string, () => Leases]>([
  ["in a folder", () => new FolderLeases(folder, leaseMs)],
  ["in LanceDB", () => new LanceLeases(async () => connection, { leaseMs, creationSettleMs: 0 })],
])("a lease %s", (_place, open) => {
  it("lets one of several processes work at a time, for as long as that takes", async () => {
    let working = 0;
    let most = 0;
    let refused = 0;
    const work = async () => {
      working += 1;
      most = Math.max(most, working);
      await setTimeout(2 * leaseMs);
      // On a busy machine the others may ask late.
      await expect.poll(() => refused).toBe(3);
      working -= 1;
      return true;
    };
    const processes = Array.from({ length: 4 }, open);
    const attempts = processes.map(async (leases) => {
      if ((await leases.run("one", work)) === undefined) refused += 1;
    });
    await Promise.all(attempts);
    expect(most).toBe(1);
    // It was given back.
    expect(await processes[0]?.run("one", async () => true)).toBe(true);
    expect(await processes[1]?.run("one", async () => true)).toBe(true);
  });

  it("ends when the work fails, and doesn't concern that of another name", async () => {
    const [one, other] = [open(), open()];
    const failing = one.run("failing", async () => {
      expect(await other.run("failing", async () => true)).toBeUndefined();
      expect(await other.run("another", async () => true)).toBe(true);
      throw new Error("It fails.");
    });
    await expect(failing).rejects.toThrow("It fails.");
    expect(await other.run("failing", async () => true)).toBe(true);
  });

  it("that is kept is taken over after its time, or at once when its holder closes", async () => {
    const [one, other, third] = [open(), open(), open()];
    const kept = { isKept: true };
    expect(await one.run("kept", async () => true, kept)).toBe(true);
    expect(await one.run("kept", async () => true, kept)).toBe(true);
    await expect.poll(() => other.run("kept", async () => true, kept)).toBe(true);
    await other.close();
    expect(await third.run("kept", async () => true)).toBe(true);
  });
});
