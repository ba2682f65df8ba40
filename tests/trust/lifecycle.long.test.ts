import { get } from "node:http";
import { join, resolve } from "node:path";
import type { Script, ScriptedProvider, ServiceName, ServiceProcess } from "@agent-backends/testing";
import { answer, serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, expect, test, vi } from "vitest";
import { post } from "../observability/services.ts";

const run = { threadId: "t", runId: "r", messages: [{ id: "m", role: "user", content: "Hello" }] };
const chat = { messages: [{ role: "user", content: "Give me advice on naming" }] };
const runError = /\{"type":"RUN_ERROR","message":"The service is shutting down; try again\."\}\n\n$/;
const services: Record<ServiceName, { path: string; body: object; end: RegExp; error: RegExp }> = {
  "relay-express": { path: "/agent", body: run, end: /RUN_FINISHED/, error: runError },
  "relay-nest": { path: "/agent", body: run, end: /RUN_FINISHED/, error: runError },
  listing: {
    path: "/agent",
    body: chat,
    end: /whole.*\[DONE\]\n\n$/s,
    error: /"error".*shutting down.*\[DONE\]\n\n$/s,
  },
  knowledge: {
    path: "/stream",
    body: { thread_id: "t", run_id: "r", ...chat },
    end: /"done"/,
    error: /"error".*shutting down.*\n$/,
  },
};
const names = Object.keys(services) as ServiceName[];

/** Long enough for a busy machine. */
const patienceMs = 60_000;

const half = `data: {"choices":[{"index":0,"delta":{"content":"half "}}]}\n\n`;
const whole = `data: {"choices":[{"index":0,"delta":{"content":"whole"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n`;

const folder = await createTemporaryFolder();
const providers: ScriptedProvider[] = [];
const started: ServiceProcess[] = [];
afterAll(async () => {
  await Promise.all(started.map((service) => service.end("SIGKILL")));
  await Promise.all(providers.map((provider) => provider.close()));
});

/** Starts a service with its own provider. */
async function start(name: ServiceName, script: Script, graceMs: number, nodeArguments: string[] = []) {
  const provider = await startScriptedProvider({ script });
  providers.push(provider);
  const variables = {
    LLM_BASE_URL: provider.baseUrl,
    KNOWLEDGE_STORE: join(folder, name),
    SHUTDOWN_GRACE_MS: String(graceMs),
  };
  const service = await startService(resolve(serviceMains[name]), variables, { nodeArguments });
  started.push(service);
  return { service, provider };
}

function ask(name: ServiceName, { baseUrl }: ServiceProcess): Promise<Response> {
  const { path, body } = services[name];
  return post(baseUrl + path, body);
}

const said = ({ log }: ServiceProcess, text: string) => log.filter(({ msg }) => msg?.includes(text));

test.concurrent.each(names)(
  "%s cuts no stream before the grace is over, tells those that are left, and refuses what is new",
  async (name) => {
    const streams = 40;
    const { promise: goOn, resolve: finish } = Promise.withResolvers<void>();
    const [ending, hanging] = [answer.bytes([half, goOn, whole]), answer.hangAfter("half")];
    const script: Script = (_request, index) => (index % 2 === 0 ? ending : hanging);
    const { service: stopping, provider } = await start(name, script, 5_000);
    const keepAlive = await new Promise((answered, failed) => {
      get(`${stopping.baseUrl}/health`, ({ headers }) => answered(headers["keep-alive"])).on("error", failed);
    });
    // Longer than the 60 s of common load balancers.
    expect(keepAlive).toMatch(/timeout=65/);
    expect((await fetch(`${stopping.baseUrl}/ready`)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: streams }, () => ask(name, stopping)));
    const texts = answers.map((response) => response.text());
    await vi.waitFor(() => expect(provider.chatRequests.filter(({ aborted }) => !aborted).length).toBe(streams), {
      timeout: patienceMs,
    });
    stopping.process.kill("SIGTERM");
    await vi.waitFor(() => expect(said(stopping, "stops: takes no new requests")).toHaveLength(1), {
      timeout: patienceMs,
    });
    const refused = await ask(name, stopping);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "5"]);
    expect(refused.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    const ready = await fetch(`${stopping.baseUrl}/ready`);
    expect([ready.status, await ready.text()]).toEqual([503, expect.stringContaining("shutting down")]);
    expect((await fetch(`${stopping.baseUrl}/health`)).status).toBe(200);
    finish();
    const seen = await Promise.all(texts);
    expect(seen.filter((text) => services[name].end.test(text) && text.includes("whole"))).toHaveLength(streams / 2);
    expect(seen.filter((text) => services[name].error.test(text))).toHaveLength(streams / 2);
    expect(await stopping.exited).toBe(0);
    const left = provider.chatRequests.filter((_request, index) => index % 2 === 1);
    await Promise.all(left.map(({ closed }) => closed));
    expect(left.map(({ aborted }) => aborted)).toEqual(Array(streams / 2).fill(true));
    expect(JSON.stringify([stopping.log, stopping.printed])).not.toContain("sk-test-secret");
  },
  2 * patienceMs,
);

test.concurrent(
  "a second signal stops at once",
  async () => {
    const { service: stopping } = await start("relay-express", answer.hangAfter("half"), 600_000);
    const text = (await ask("relay-express", stopping)).text().catch(() => "cut");
    stopping.process.kill("SIGTERM");
    await vi.waitFor(() => expect(said(stopping, "stops: takes no new requests")).toHaveLength(1), {
      timeout: patienceMs,
    });
    const again = setInterval(() => stopping.process.kill("SIGTERM"), 300);
    expect(await stopping.exited).toBe(1);
    clearInterval(again);
    expect(await text).toBe("cut");
  },
  2 * patienceMs,
);

test.concurrent(
  "an error that nothing handles ends the process with a log line, after its streams",
  async () => {
    const { promise: goOn, resolve: finish } = Promise.withResolvers<void>();
    const throwing = `process.on("SIGUSR2", () => setImmediate(() => { throw new Error("a bug"); }))`;
    const nodeArguments = ["--import", `data:text/javascript,${encodeURIComponent(throwing)}`];
    const script = answer.bytes([half, goOn, whole]);
    const { service: failing } = await start("relay-express", script, 60_000, nodeArguments);
    const response = await ask("relay-express", failing);
    for (const times of [1, 2]) {
      failing.process.kill("SIGUSR2");
      await vi.waitFor(() => expect(said(failing, "an error that nothing handled: stops")).toHaveLength(times), {
        timeout: patienceMs,
      });
    }
    expect((await fetch(`${failing.baseUrl}/ready`)).status).toBe(503);
    finish();
    expect(await response.text()).toContain("RUN_FINISHED");
    expect(await failing.exited).toBe(1);
    expect(said(failing, "an error that nothing handled")[0]).toMatchObject({ level: 60, err: { message: "a bug" } });
  },
  2 * patienceMs,
);
