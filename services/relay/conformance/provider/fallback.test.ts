import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { ScriptedAnswer } from "@agent-backends/testing";
import { answer, createSelfSignedCertificate, startScriptedProvider } from "@agent-backends/testing";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { afterAll, beforeEach, expect, test } from "vitest";
import { describeBoth } from "../support/harness.ts";
import { postAgent, runInput } from "../support/run-inputs.ts";

const fallbackAfterMs = 500;
const firstTokenTimeoutMs = 1_500;
const second = "the second's answer";
const first = "the first's answer";

interface Fault {
  /** What happens at the first provider, as docs/relay.md names it. */
  what: string;
  script?: ScriptedAnswer | ScriptedAnswer[];
  /** In place of the scripted provider's address. */
  url?: () => string;
  /** How often the first provider is asked. */
  asked: number;
  /** An answer, or the message of `RUN_ERROR`. */
  client: string;
  /** The error in the log's warning that the next provider is asked. Without one, only a failed run is logged. */
  log?: string;
}

const slowHead: ScriptedAnswer = {
  async respond(request, reply) {
    await new Promise((resolve) => setTimeout(resolve, 40));
    await answer.text("first").respond(request, reply);
  },
};
const unreachable = "The model provider could not be reached.";
const textFrame = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "first" } }] })}\n\n`;

const faults: Fault[] = [
  { what: "nothing listens there", url: () => "http://127.0.0.1:1/v1", asked: 0, client: second, log: unreachable },
  {
    what: "its certificate is not trusted",
    url: () => tlsUrl,
    asked: 0,
    client: second,
    log: "The model provider could not be reached: its certificate is not trusted.",
  },
  { what: "401", script: answer.error(401, "Bad key."), asked: 1, client: second, log: "Bad key." },
  { what: "404", script: answer.error(404, "No such model."), asked: 1, client: second, log: "No such model." },
  {
    what: "400 because the conversation is too long for its model",
    script: answer.error(400, "This model's maximum context length is 8192 tokens."),
    asked: 1,
    client: second,
    log: "This model's maximum context length is 8192 tokens.",
  },
  {
    what: "any other 400",
    script: answer.error(400, "Invalid tool schema."),
    asked: 1,
    client: "Invalid tool schema.",
  },
  { what: "429 without `Retry-After`", script: answer.error(429, "Busy."), asked: 2, client: second, log: "Busy." },
  {
    what: "429 with `Retry-After: 2`",
    script: answer.rateLimited(2),
    asked: 1,
    client: second,
    log: "Rate limit reached.",
  },
  {
    what: "429 with `retry-after-ms: 20`, once",
    script: [answer.error(429, "Busy.", { "retry-after-ms": "20" }), answer.text("first")],
    asked: 2,
    client: first,
  },
  { what: "500", script: answer.error(500, "Out of memory."), asked: 1, client: second, log: "Out of memory." },
  { what: "a reset before the head", script: answer.drop(), asked: 1, client: second, log: unreachable },
  {
    what: "a reset after the head",
    script: answer.cutAfter(),
    asked: 1,
    client: "The model provider's answer broke off before its end.",
  },
  {
    what: "a reset after some text",
    script: answer.cutAfter("first"),
    asked: 1,
    client: "The model provider's answer broke off before its end.",
  },
  {
    what: "no head within `LLM_FALLBACK_AFTER_MS`",
    script: answer.hang(),
    asked: 1,
    client: second,
    log: "The model provider did not answer in time.",
  },
  { what: "a slow head", script: slowHead, asked: 1, client: first },
  {
    what: "a head, then a first byte after `LLM_FALLBACK_AFTER_MS`",
    script: answer.bytes([{ pauseMs: fallbackAfterMs + 200 }, textFrame, "data: [DONE]\n\n"]),
    asked: 1,
    client: first,
  },
  {
    what: "a head, then silence for `RELAY_FIRST_TOKEN_TIMEOUT_MS`",
    script: answer.hangAfter(),
    asked: 1,
    client: "The model provider did not answer in time.",
  },
  {
    what: "a web page",
    script: answer.html(200),
    asked: 1,
    client: second,
    log: "The model provider did not answer with a stream.",
  },
  {
    what: "a stream of nonsense",
    script: answer.bytes(["data: <html>\n\n"]),
    asked: 1,
    client: "The model provider sent data that is not JSON.",
  },
];

const answers = (client: string) => client === first || client === second;
const row = ({ what, client, asked, log }: Fault) => {
  const seen = answers(client) ? client : `\`RUN_ERROR\`: ${client}`;
  const warning = log ?? (answers(client) ? "–" : `run failed: ${client}`);
  return `| ${what} | ${seen} | ${asked} | ${client === second ? 1 : 0} | ${warning} |`;
};

test("docs/relay.md has this table", () => {
  const docs = readFileSync("docs/relay.md", "utf8");
  for (const fault of faults) expect(docs).toContain(row(fault));
});

const fallback = await startScriptedProvider();
const tlsServer = createServer(createSelfSignedCertificate("localhost"), (_request, response) => void response.end());
const tlsUrl = `https://localhost:${new URL(await listenOnLoopback(tlsServer)).port}/v1`;
beforeEach(() => {
  fallback.script(answer.text("second"));
  fallback.requests.length = 0;
});
afterAll(() => fallback.close());

const joinText = (events: { type: string; delta?: unknown; message?: unknown }[]) => {
  const last = events.at(-1);
  if (last?.type === "RUN_ERROR") return last.message;
  const text = events.flatMap(({ type, delta }) => (type === "TEXT_MESSAGE_CONTENT" ? [delta] : [])).join("");
  return `the ${text}'s answer`;
};

describeBoth("with a second provider", (bench) => {
  const fallbacks = () => [{ baseUrl: fallback.baseUrl, apiKey: "sk-second-key", model: "second-model" }];
  const toProviderName = (provider: { baseUrl: string }, model: string) => `${new URL(provider.baseUrl).host} ${model}`;

  test.each(faults)("$what: $client", async ({ script, url, asked, client, log }) => {
    if (script) bench.provider.script(script);
    const baseUrl = url?.() ?? bench.provider.baseUrl;
    await bench.restart({ baseUrl, fallbackAfterMs, firstTokenTimeoutMs, fallbacks: fallbacks() });
    const response = await postAgent(bench.relay.url, runInput());
    const events = (await response.text()).match(/(?<=data: ).*/g)?.map((json) => JSON.parse(json));

    expect(joinText(events ?? [])).toBe(client);
    expect(bench.provider.chatRequests).toHaveLength(asked);
    expect(fallback.chatRequests).toHaveLength(client === second ? 1 : 0);
    const answering =
      client === second ? toProviderName(fallback, "second-model") : toProviderName({ baseUrl }, "gpt-4o");
    expect(response.headers.get("x-llm-provider")).toBe(answering);
    const warnings = bench.relay.log.filter(({ level }) => Number(level) >= 40);
    if (client !== second) {
      const failed = { msg: `run failed: ${client}`, provider: answering };
      expect(warnings).toMatchObject(answers(client) ? [] : [failed]);
      return;
    }
    const msg = expect.stringContaining("the next one is asked");
    expect(warnings).toMatchObject([{ msg, next: answering, err: { message: log } }]);
    expect(JSON.stringify(bench.relay.log)).not.toContain("sk-second-key");
    expect(fallback.chatRequests[0]).toMatchObject({
      body: { model: "second-model" },
      headers: { authorization: "Bearer sk-second-key" },
    });
  });

  test("the usage counts tokens of the model that answered", async () => {
    bench.provider.script(answer.error(500, "Out of memory."));
    await bench.restart({ fallbacks: fallbacks() });
    const finished = (await bench.run({ protocolVersion: "1.0" })).at(-1);
    expect(finished).toMatchObject({ type: "RUN_FINISHED", usage: [{ model: "second-model", totalTokens: 12 }] });
  });

  test("both failing, the client gets what the last one said, and each was asked", async () => {
    bench.provider.script(answer.error(500, "First failed."));
    fallback.script(answer.error(503, "Second failed."));
    await bench.restart({ fallbacks: fallbacks() });
    expect((await bench.run()).at(-1)).toEqual({ type: "RUN_ERROR", message: "Second failed." });
    expect([bench.provider.chatRequests.length, fallback.chatRequests.length]).toEqual([1, 1]);
  });

  test("a provider that keeps failing is skipped, and /ready says so", async () => {
    bench.provider.script(answer.error(500, "Failed."));
    await bench.restart({ fallbacks: fallbacks() });
    for (let run = 0; run < 7; run += 1) expect((await bench.run()).at(-1)?.type).toBe("RUN_FINISHED");
    expect(bench.provider.chatRequests).toHaveLength(5);
    const ready = (await (await fetch(`${bench.relay.url}/ready`)).json()) as { provider: object };
    expect(ready.provider).toMatchObject({
      status: "degraded",
      circuit: "open",
      fallbacks: [{ status: "ok", circuit: "closed", models: { chat: "second-model" } }],
    });
    expect(JSON.stringify(ready)).not.toContain("/v1");
  });

  test("the stream begins before either answers once a heartbeat is due", async () => {
    bench.provider.script(answer.hang());
    await bench.restart({ fallbacks: fallbacks(), heartbeatMs: 30 });
    const leaving = new AbortController();
    const response = await postAgent(bench.relay.url, runInput(), { signal: leaving.signal });
    expect(response.headers.has("x-llm-provider")).toBe(false);
    const { value } = (await response.body?.pipeThrough(new TextDecoderStream()).getReader().read()) ?? {};
    expect(value).toMatch(/^data: {"type":"RUN_STARTED"/);
    leaving.abort();
    await bench.provider.chatRequests[0]?.closed;
    expect(fallback.chatRequests).toHaveLength(0);
  });
});
