import type { Socket } from "node:net";
import { connect } from "node:net";
import type { ListingSite, ScriptedProvider, ServiceName, ServiceProcess } from "@agent-backends/testing";
import { answer, startListingSite, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { requestLines, serviceNames, start, streaming } from "../observability/services.ts";
import { ask, expectCleanEnd, expectSurvival, getStatus, maxAnswerMs, post } from "./survival.ts";

let provider: ScriptedProvider;
let site: ListingSite;
beforeAll(async () => {
  [provider, site] = await Promise.all([startScriptedProvider(), startListingSite()]);
});
afterAll(() => Promise.all([provider.close(), site.close()]));

const begin = (name: ServiceName, options?: Parameters<typeof start>[2]): Promise<ServiceProcess> =>
  start(
    name,
    { LLM_BASE_URL: provider.baseUrl, LISTING_API_URL: site.graphqlUrl, LISTING_API_TOKEN: "token", METRICS_PORT: "0" },
    options,
  );

const send = (service: ServiceProcess, path: string, body: object) => post(service.baseUrl + path, body);

function open(service: ServiceProcess): Promise<Socket> {
  const { hostname, port } = new URL(service.baseUrl);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true }, () => resolve(socket));
    socket.once("error", reject);
  });
}

const closed = (socket: Socket) =>
  new Promise<void>((resolve) => (socket.destroyed ? resolve() : socket.once("close", () => resolve())));

describe.each(serviceNames)("%s", (name) => {
  const { path, body } = streaming[name];

  test("outlives clients that take all its file descriptors", async () => {
    const service = await begin(name, { shell: "ulimit -n 128" });
    const sockets = await Promise.all(Array.from({ length: 300 }, () => open(service).catch(() => undefined)));
    for (const socket of sockets) {
      socket?.on("error", () => undefined);
      socket?.write(`GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const socket of sockets) socket?.destroy();
    await expect.poll(() => getStatus(send(service, path, body)), { timeout: maxAnswerMs, interval: 200 }).toBe(200);
    await expectCleanEnd(service);
  });

  test("lets nothing of half-open connections remain", async () => {
    const service = await begin(name);
    provider.script(answer.hangAfter("Hel"));
    const json = JSON.stringify(body);
    const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n`;
    const before = provider.chatRequests.length;
    const sockets = await Promise.all(Array.from({ length: 20 }, () => open(service)));
    for (const socket of sockets) {
      socket.on("error", () => undefined);
      socket.write(head + json);
    }
    await provider.chatRequest(before + 20);
    // Half of them say that they send no more and read on; the others vanish without a word of farewell.
    for (const [index, socket] of sockets.entries()) {
      if (index % 2 === 0) socket.resume().end();
      else socket.resetAndDestroy();
    }
    await requestLines(service, 10);
    for (const socket of sockets) socket.destroy();
    await requestLines(service, 20);
    provider.script(answer.text("Hello."));
    const metrics = await (await ask(service.metricsUrl ?? "")).text();
    expect(metrics).toMatch(/^agent_streams_open\{.*\} 0$/m);
    await expectCleanEnd(service);
  });

  test("goes on through jumps of the clock", async () => {
    const service = await begin(name, {
      nodeArguments: ["--import", `data:text/javascript,${encodeURIComponent(jumpingClock)}`],
    });
    site.posts = [{ id: "first", featuredAt: "2026-01-01T12:00:00Z" }];
    for (const _jump of ["a day ahead", "two days back", "ahead again", "back again"]) {
      expect(await getStatus(send(service, path, body))).toBe(200);
      service.process.kill("SIGUSR2");
      await expect.poll(() => service.printed.at(-1)).toMatch(/jumped/);
      expect(await getStatus(send(service, path, body))).toBe(200);
      await expectSurvival(service);
    }
    await expectCleanEnd(service);
  });
});

test.concurrent.each(serviceNames)(
  "%s answers others while slow clients dribble, and ends those in time",
  async (name) => {
    const { path, body } = streaming[name];
    const service = await begin(name);
    const slow = await Promise.all(Array.from({ length: 100 }, () => open(service)));
    const dribble = setInterval(() => {
      for (const socket of slow) if (!socket.destroyed) socket.write("X");
    }, 2_000);
    const answers = new Map<Socket, string>();
    for (const [index, socket] of slow.entries()) {
      socket.on("error", () => undefined);
      socket.on("data", (bytes) => {
        answers.set(socket, (answers.get(socket) ?? "") + bytes);
      });
      socket.write(
        index % 2 === 0
          ? `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Slow: `
          : `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100000\r\n\r\n`,
      );
    }
    for (let round = 0; round < 5; round += 1) expect(await getStatus(send(service, path, body))).toBe(200);
    // Node's own bound for a request's head is a minute, and it looks twice in that.
    const headersEnded = Promise.all(slow.filter((_, index) => index % 2 === 0).map(closed));
    await Promise.race([
      headersEnded,
      new Promise((_resolve, reject) => setTimeout(() => reject(new Error("slow heads are kept")), 120_000)),
    ]);
    clearInterval(dribble);
    for (const socket of slow) socket.destroy();
    for (const [index, socket] of slow.entries()) {
      if (index % 2 === 0)
        expect(answers.get(socket)).toMatch(/^HTTP\/1\.1 408 .*urn:agent-backends:problem:too-slow/s);
    }
    await expectCleanEnd(service);
  },
);

test("the listing service shows new launches after the clock was set back", async () => {
  const service = await start(
    "listing",
    {
      LLM_BASE_URL: provider.baseUrl,
      LISTING_API_URL: site.graphqlUrl,
      LISTING_API_TOKEN: "token",
      LISTING_CACHE_TTL_MS: "60000",
    },
    { nodeArguments: ["--import", `data:text/javascript,${encodeURIComponent(jumpingClock)}`] },
  );
  const names = async () => {
    const { posts } = (await (await send(service, "/tools/top", {})).json()) as { posts: { id: string }[] };
    return posts.map(({ id }) => id);
  };
  const jump = async (count: number) => {
    service.process.kill("SIGUSR2");
    await expect.poll(() => service.printed.filter((line) => line.includes("jumped")).length).toBe(count);
  };
  site.posts = [{ id: "first", featuredAt: "2026-01-01T12:00:00Z" }];
  await jump(1);
  expect(await names()).toEqual(["first"]);
  site.posts = [{ id: "second", featuredAt: "2026-01-01T12:00:00Z" }];
  await jump(2);
  expect(await names()).toEqual(["second"]);
  await expectCleanEnd(service);
});

/** SIGUSR2 sets the process's clock a day ahead, the next one two days back, and so on. */
const jumpingClock = `
  const RealDate = Date, realNow = Date.now;
  let offset = 0;
  globalThis.Date = class extends RealDate {
    constructor(...given) { given.length === 0 ? super(realNow() + offset) : super(...given); }
    static now() { return realNow() + offset; }
  };
  process.on("SIGUSR2", () => {
    offset += offset > 0 ? -172800000 : 86400000 * (offset < 0 ? 2 : 1);
    process.stderr.write("jumped to " + new Date().toISOString() + "\\n");
  });
`;
