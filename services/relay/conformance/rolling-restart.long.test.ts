import { once } from "node:events";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { ServiceProcess } from "@agent-backends/testing";
import {
  answer,
  freePorts,
  serviceMains,
  startNginx,
  startRedisServer,
  startScriptedProvider,
  startService,
} from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { expect, onTestFinished, test } from "vitest";
import { readEvents, splitEvents } from "./support/recorded-run.ts";
import { postAgent, runInput } from "./support/run-inputs.ts";

const root = join(import.meta.dirname, "../../..");
const mains = [serviceMains["relay-express"], serviceMains["relay-nest"]];
const words = Array.from({ length: 30 }, (_, number) => `word ${number} `);
const wordMs = 25;
const clientCount = 3;

test("a rolling restart under load loses no run, and no event of a run that is resumed elsewhere", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  const [redis, provider, [nginxPort = 0, ...ports]] = await Promise.all([
    startRedisServer(),
    startScriptedProvider(),
    freePorts(mains.length + 1),
  ]);
  provider.script(() =>
    answer.bytes([
      ...words.flatMap((content) => [
        `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`,
        { pauseMs: wordMs },
      ]),
      'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
    ]),
  );
  const start = (index: number) =>
    startService(join(root, mains[index] ?? ""), {
      LLM_BASE_URL: provider.baseUrl,
      PORT: String(ports[index]),
      RUNS_URL: redis.url,
      RUN_ORPHAN_MS: "10000",
    });
  const replicas = await Promise.all(mains.map((_, index) => start(index)));
  const nginx = await startNginx(
    folder,
    nginxPort,
    replicas.map(({ baseUrl }) => baseUrl),
  );
  onTestFinished(async () => {
    await Promise.all(replicas.map((replica) => replica.end("SIGKILL")));
    nginx.kill("SIGTERM");
    await Promise.all([once(nginx, "exit"), redis.stop(), provider.close()]);
  });
  const url = `http://127.0.0.1:${nginxPort}`;

  /** Sends a request again when it is told to, as every client should. Any other failure fails the test. */
  const send = async (request: () => Promise<Response>): Promise<Response> => {
    for (;;) {
      const response = await request();
      if (response.status === 200) return response;
      const retryAfter = Number(response.headers.get("retry-after"));
      expect({ status: response.status, retryAfter, body: await response.text() }).toMatchObject({
        status: 503,
        retryAfter: expect.toSatisfy((seconds) => seconds > 0),
      });
      await setTimeout(Math.min(retryAfter * 1_000, 200));
    }
  };
  const runs: { kept: string; whole: string }[] = [];
  /** Begins a run and loses its connection after some events, if a number is given. Resumes it at `elsewhere`. */
  const run = async (runId: string, brokenAfter?: number, [here, elsewhere] = [url, url]) => {
    const address = (base: string) => `${base}/agent/runs/${runId}`;
    const started = await send(() => postAgent(here, runInput({ runId }), {}, "?profile=ag-ui"));
    const seen = brokenAfter === undefined ? [] : await readEvents(started, brokenAfter);
    const rest =
      brokenAfter === undefined
        ? started
        : await send(() => fetch(address(elsewhere), { headers: { "Last-Event-ID": String(seen.length) } }));
    const ended = (async () => {
      const kept = [...seen, ...splitEvents(await rest.text())].join("");
      runs.push({ kept, whole: await (await send(() => fetch(address(url)))).text() });
    })();
    return { ended };
  };

  const [first, second] = replicas.map(({ baseUrl }) => baseUrl) as [string, string];
  // The first replica is stopped while it has no request, only this run.
  const left = await run("left", 3, [first, second]);
  const isRestarted = new AbortController();
  const exits: (number | NodeJS.Signals)[] = [];
  const restarted = (async () => {
    for (const [index, replica] of replicas.entries()) {
      exits.push(await (replica as ServiceProcess).end("SIGTERM"));
      replicas[index] = await start(index);
    }
    isRestarted.abort();
  })();
  const work = async (client: number) => {
    for (let number = 0; !isRestarted.signal.aborted || number < 2; number += 1) {
      const brokenAfter = (client + number) % 2 === 0 ? 3 + ((client * 7 + number) % words.length) : undefined;
      await (await run(`run-${client}-${number}`, brokenAfter)).ended;
    }
  };
  await Promise.all([left.ended, restarted, ...Array.from({ length: clientCount }, (_, client) => work(client))]);

  expect(exits).toEqual([0, 0]);
  for (const { kept, whole } of runs) {
    expect(kept).toBe(whole);
    expect(kept.match(/word \d+ /g)).toEqual(words);
    expect(kept).toContain('"type":"RUN_FINISHED"');
  }
  expect(provider.chatRequests).toHaveLength(runs.length);
});
