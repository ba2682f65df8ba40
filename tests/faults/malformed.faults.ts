import type { Socket } from "node:net";
import { connect } from "node:net";
import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceNames, start } from "../observability/services.ts";
import { malformedRequests } from "./malformed-requests.ts";
import { expectCleanEnd, expectSurvival, longestAnswerMs } from "./survival.ts";

/** How many requests each service gets, and the number that they are made from: the same number gives the same requests. */
const count = Number(process.env.FAULT_REQUESTS ?? 100_000);
const seed = Number(process.env.FAULT_SEED ?? 1);
const atOnce = 32;

let provider: ScriptedProvider;
beforeAll(async () => {
  provider = await startScriptedProvider({ script: answer.text("Hi") });
});
afterAll(() => provider.close());

describe.each(serviceNames)("%s", (name) => {
  test(`answers, refuses or closes ${count} random malformed requests of seed ${seed}, each in time`, async () => {
    const service = await start(name, {
      LLM_BASE_URL: provider.baseUrl,
      LISTING_API_URL: "http://127.0.0.1:9/graphql",
      LOG_LEVEL: "info",
    });
    const { hostname, port } = new URL(service.baseUrl);
    const statuses = new Map<string, number>();
    const requests = malformedRequests(name, seed);
    let left = count;
    const client = async () => {
      while (left > 0) {
        left -= 1;
        const bytes = requests.next().value as Buffer;
        const status = await exchange(hostname, Number(port), bytes);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === "hangs")
          throw new Error(`No answer within ${longestAnswerMs} ms to ${JSON.stringify(bytes.toString("latin1"))}`);
        // Its log would outgrow the test's memory.
        if (left % 1_000 === 0) await expectSurvival(service);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, client));
    process.stderr.write(`${name}: ${JSON.stringify(Object.fromEntries([...statuses].sort()))}\n`);
    expect([...statuses.keys()].filter((status) => /^[45]\d\d$/.test(status)).length).toBeGreaterThan(2);
    expect(statuses.get("500") ?? 0).toBe(0);
    await expectCleanEnd(service);
  });
});

/** A request that its server takes for incomplete has its end after this time. */
const endAfterMs = 1_500;

/** Sends bytes, says after a while that no more come, and gives the status of the first answer. */
function exchange(host: string, port: number, bytes: Buffer): Promise<string> {
  return new Promise((resolve) => {
    let head = "";
    const socket: Socket = connect({ host, port, allowHalfOpen: true });
    const settle = (status: string) => {
      clearTimeout(timer);
      clearTimeout(ender);
      socket.destroy();
      resolve(status);
    };
    const timer = setTimeout(() => settle("hangs"), longestAnswerMs);
    const ender = setTimeout(() => socket.end(), endAfterMs);
    socket.on("connect", () => socket.write(bytes));
    socket.on("data", (data: Buffer) => {
      if (head.length < 20) head += data.toString("latin1", 0, 20);
    });
    const done = () => settle(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? "closed");
    socket.on("end", done);
    socket.on("error", done);
    socket.on("close", done);
  });
}
