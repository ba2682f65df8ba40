import type { ScriptedAnswer, ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { answer, postWithoutReading, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serviceNames, start, streaming } from "../observability/services.ts";
import { expectCleanEnd, expectSurvival, maxAnswerMs, post } from "./survival.ts";

const endless: ScriptedAnswer = {
  async respond({ signal }, reply) {
    reply.start();
    while (!signal.aborted) await reply.write("data: {".repeat(1_000));
  },
};

const dribbling: ScriptedAnswer = {
  async respond(_call, reply) {
    reply.start();
    const frames = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "Slow." } }] })}\n\ndata: [DONE]\n\n`;
    for (const byte of frames) {
      await reply.write(byte);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    reply.end();
  },
};

const faults: Record<string, ScriptedAnswer> = {
  "is slow, byte by byte": dribbling,
  "is down": answer.drop(),
  "refuses the key": answer.error(401, "Incorrect API key"),
  "fails always": answer.error(500, "Internal error"),
  "sends a gateway's page": answer.html(),
  "cuts its stream": answer.cutAfter("Hel"),
  "ends its stream early": answer.endAfter("Hel"),
  "sends no JSON": answer.bytes(["data: {nonsense\n\n"]),
  "sends an error in its stream": answer.chunks([{ error: { message: "Overloaded" } }]),
  "sends chunks of other shapes": answer.chunks([{ choices: "none" }, { choices: [{ delta: 7 }] }, []]),
  "sends control characters and frames in its text": answer.text("a\u0000b\u2028\r\n\r\ndata: [DONE]\n\n", "c"),
  "calls tools that nobody has": answer.toolCalls([{ name: "rm", args: "{]" }]),
  "sends one event without an end": endless,
};

describe.each(serviceNames)("%s with a provider that", (name) => {
  const { path, body } = streaming[name];
  let provider: ScriptedProvider;
  let service: ServiceProcess;

  beforeAll(async () => {
    provider = await startScriptedProvider();
    service = await start(name, {
      LLM_BASE_URL: provider.baseUrl,
      LISTING_API_URL: "http://127.0.0.1:9/graphql",
      STREAM_HEARTBEAT_MS: "100",
    });
  });
  afterAll(async () => {
    await expectCleanEnd(service);
    await provider.close();
  });

  const stream = async () => {
    const response = await post(service.baseUrl + path, body);
    return { status: response.status, text: await response.text() };
  };

  test.each(Object.entries(faults))("%s", async (_what, fault) => {
    provider.script(fault);
    const { status, text } = await stream();
    expect(status).toBe(200);
    // Every line is a whole event, whatever the provider sent.
    const events = text
      .split("\n")
      .map((line) => line.replace(/^data: /, ""))
      .filter((line) => line !== "" && !line.startsWith(":") && line !== "[DONE]")
      .map((line) => JSON.parse(line).type);
    expect(events.at(-1)).toMatch(/^(done|error|RUN_FINISHED|RUN_ERROR|text_message_chunk|tool_call_result)$/);
    await expectSurvival(service);
  });

  test("never answers: the stream is kept alive, and ends the provider's request with the client's", async () => {
    provider.script(answer.hang());
    const before = provider.chatRequests.length;
    const client = await postWithoutReading(service.baseUrl + path, body);
    const request = await provider.chatRequest(before + 1);
    client.leave();
    await Promise.race([
      request.closed,
      new Promise((_resolve, reject) => setTimeout(() => reject(new Error("not aborted")), maxAnswerMs)),
    ]);
    expect(request.aborted).toBe(true);
  });

  test("is well again, and so is the service", async () => {
    provider.script(answer.text("All ", "well."));
    expect((await stream()).text).toMatch(/well/);
  });
});

describe("an ingest with embeddings that", () => {
  let provider: ScriptedProvider;
  let service: ServiceProcess;
  beforeAll(async () => {
    provider = await startScriptedProvider();
    service = await start("knowledge", { LLM_BASE_URL: provider.baseUrl });
  });
  afterAll(async () => {
    await expectCleanEnd(service);
    await provider.close();
  });

  const vector = (numbers: number[]) => ({ data: [{ index: 0, embedding: numbers }] });
  test.each(
    Object.entries({
      "are cut": answer.drop(),
      "are of no length": answer.status(200, vector([])),
      "are fewer than the texts": answer.status(200, { data: [] }),
      "are no JSON": answer.status(200, "nonsense"),
      "are not numbers": answer.status(200, '{"data":[{"index":0,"embedding":[null,"x"]}]}'),
    }),
  )("%s stores nothing, and says so", async (what, fault) => {
    provider.scriptEmbeddings(fault);
    const sources = [{ type: "text", value: `A text whose embeddings ${what}.` }];
    const send = () => post(`${service.baseUrl}/api/tools/ingest`, { sources, namespace: what });
    const failed = await send();
    expect(failed.status).toBe(400);
    expect(await failed.json()).toMatchObject({ saved: [], errors: [{ source: "text:0" }] });
    provider.scriptEmbeddings({ respond: (await import("@agent-backends/llm/offline")).respondWithLexicalEmbeddings });
    expect(await (await send()).json()).toMatchObject({ saved: [{ namespace: what }] });
  });
});
