import type { ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { serviceNames, start } from "../observability/services.ts";
import { exchange } from "./exchange.ts";
import { malformedRequests } from "./malformed-requests.ts";
import { ask, expectCleanEnd, expectSurvival, maxAnswerMs } from "./survival.ts";

/** How many requests each service gets, and the number that they are made from: the same number gives the same requests. */
const count = Number(process.env.FAULT_REQUESTS ?? 5_000);
const seed = Number(process.env.FAULT_SEED ?? 1);
const concurrency = 64;

let provider: ScriptedProvider;
let service: ServiceProcess;
beforeAll(async () => {
  provider = await startScriptedProvider({
    script: ({ body }) => {
      // What was asked is of no use any more, and this is asked much.
      provider.requests.length = 0;
      return body === undefined ? answer.drop() : answer.text("Hi");
    },
  });
});
afterAll(() => provider.close());
afterEach(() => service.end("SIGKILL"));

describe.each(serviceNames)("%s", (name) => {
  test(`answers, refuses or closes ${count} random malformed requests of seed ${seed}, each in time`, async () => {
    service = await start(name, {
      LLM_BASE_URL: provider.baseUrl,
      LISTING_API_URL: "http://127.0.0.1:9/graphql",
      METRICS_PORT: "0",
    });
    const { hostname, port } = new URL(service.baseUrl);
    const outcomes = new Map<string, number>();
    const sendings = malformedRequests(name, seed);
    const startedAt = performance.now();
    let left = count;
    const client = async () => {
      while (left > 0) {
        left -= 1;
        const sending = sendings.next().value;
        const outcome = await exchange(hostname, Number(port), sending);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        if (outcome === "hangs" || outcome === "500") {
          const sent = JSON.stringify(Buffer.concat(sending.pieces).toString("latin1").slice(0, 2_000));
          throw new Error(`${outcome} (no answer within ${maxAnswerMs} ms, or a failure inside) of ${sent}`);
        }
        if (left % 1_000 === 0) await expectSurvival(service);
      }
    };
    await Promise.all(Array.from({ length: concurrency }, client));
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    process.stderr.write(
      `${name}, ${count} in ${seconds} s: ${JSON.stringify(Object.fromEntries([...outcomes].sort()))}\n`,
    );
    for (const status of ["200", "400", "404", "405", "422", "431"])
      expect(outcomes.get(status), status).toBeGreaterThan(0);
    // Nothing of them goes on.
    await expect
      .poll(async () => (await ask(service.metricsUrl ?? "")).text(), { timeout: maxAnswerMs, interval: 200 })
      .toMatch(/^agent_streams_open\{.*\} 0$/m);
    await expectCleanEnd(service);
  });
});
