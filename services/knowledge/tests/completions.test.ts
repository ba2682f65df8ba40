import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join } from "node:path";
import type { Annotation } from "@agent-backends/contract";
import {
  chatCompletionChunkSchema,
  chatCompletionSchema,
  modelSchema,
  modelsResponseSchema,
} from "@agent-backends/contract";
import { answer } from "@agent-backends/testing";
import { createTemporaryFolder, listenOnLoopback } from "@agent-backends/testing/fixtures";
import OpenAI, { APIError } from "openai";
import { expect, test } from "vitest";
import { postJson } from "./knowledge-process.ts";
import { startUnderTest } from "./under-test.ts";

const keysFolder = await createTemporaryFolder();
const keys = { everything: ["*"], shop: ["shop"] };
const entries = Object.entries(keys).map(([name, namespaces]) => {
  return { name, namespaces, scopes: ["ask", "write"], sha256: createHash("sha256").update(name).digest("hex") };
});
await writeFile(join(keysFolder, "keys.json"), JSON.stringify({ keys: entries }));
const { provider, service } = await startUnderTest({
  AUTH_KEYS_FILE: join(keysFolder, "keys.json"),
  KNOWLEDGE_URL_ALLOW_PRIVATE: "true",
  STREAM_HEARTBEAT_MS: "50",
  SHUTDOWN_GRACE_MS: "100",
});

const sections = ["Refunds", "Returns", "Vouchers"].map(
  (topic) => `# ${topic}\n\n${`${topic} are paid in May. `.repeat(60)}`,
);
const site = createServer((_request, response) => {
  response.writeHead(200, { "content-type": "text/markdown" }).end(sections.join("\n\n"));
});
const origin = await listenOnLoopback(site);

const connect = (apiKey: string, path = "/v1") =>
  new OpenAI({ apiKey, baseURL: service.baseUrl + path, maxRetries: 0 });
const client = connect("everything");
const shopClient = connect("shop");

const user = (content: string) => ({ role: "user" as const, content });
const question = { model: "knowledge/shop", messages: [user("When are refunds paid?")] };
const usage = { prompt_tokens: expect.any(Number), completion_tokens: 5, total_tokens: expect.any(Number) };

const ingest = (body: object) =>
  postJson(`${service.baseUrl}/api/tools/ingest`, body, { Authorization: "Bearer everything" });

const texts = {
  shop: ["Refunds are paid within 30 days.", "Refunds are paid to the card that was charged."],
  default: ["Refunds are never paid."],
  "team/a": ["Refunds are paid at noon."],
};
for (const [namespace, values] of Object.entries(texts)) {
  const sources = values.map((value) => ({ type: "text", title: "Policy", value }));
  await ingest({ namespace, sources });
}
await ingest({ namespace: "site", sources: [{ type: "url", value: `${origin}/paid#/terms` }] });

/** The chunks that the model was given last. */
const given = () =>
  JSON.parse(provider.chatRequests.at(-1)?.body.messages.find(({ role }: { role: string }) => role === "tool").content)
    .results;

/** What each annotation marks in the content, and the content of the source that it names. */
const resolve = (content: string, annotations: readonly unknown[]) =>
  (annotations as Annotation[]).map(({ url_citation: { start_index, end_index }, citation }) => {
    return [content.slice(start_index, end_index), citation.n, citation.quote];
  });

test("a whole answer has its marks numbered in their order, annotations and usage", async () => {
  provider.script(answer.text("To the card [2]. Within 30 days [1, 2]."));
  const completion = await client.chat.completions.create(question);
  chatCompletionSchema.parse(completion);
  const [first, second] = given();
  const [choice] = completion.choices;
  expect(completion).toMatchObject({
    id: expect.stringMatching(/^chatcmpl-./),
    model: "knowledge/shop",
    choices: [
      { finish_reason: "stop", message: { role: "assistant", content: "To the card [1]. Within 30 days [2][1]." } },
    ],
    usage,
  });
  expect(Math.abs(completion.created - Date.now() / 1_000)).toBeLessThan(60);
  expect(resolve(choice?.message.content ?? "", choice?.message.annotations ?? [])).toEqual([
    ["[1]", 1, second.content],
    ["[2]", 2, first.content],
  ]);
  // Two documents share a title, and neither has an address.
  expect(choice?.message.annotations?.map(({ url_citation: { title, url } }) => [title, url])).toEqual([
    ["Policy [1]", expect.stringMatching(/^urn:agent-backends:document:[\w-]+#char=0,\d+$/)],
    ["Policy [2]", expect.stringMatching(/^urn:agent-backends:document:[\w-]+#char=0,\d+$/)],
  ]);
});

test("marks with zeros before them are marks, and brackets in addresses stay as they are", async () => {
  provider.script(answer.text("See [2] and [01], at https://a.example/b[1]c."));
  const { choices } = await client.chat.completions.create(question);
  expect(choices[0]?.message.content).toBe("See [1] and [2], at https://a.example/b[1]c.");
});

test.each(["length", "content_filter"])("an answer that the provider cut short says so: %s", async (reason) => {
  const part = { choices: [{ index: 0, delta: { content: "Within 30" }, finish_reason: reason }] };
  provider.script(answer.chunks([part]));
  const whole = await client.chat.completions.create(question);
  expect(whole.choices[0]).toMatchObject({ finish_reason: reason, message: { content: "Within 30" } });
  provider.script(answer.chunks([part]));
  const final = await client.chat.completions.stream(question).finalChatCompletion();
  expect(final.choices[0]).toMatchObject({ finish_reason: reason, message: { content: "Within 30" } });
});

test("in Open WebUI each [n] opens its own passage, also where several are from one page", async () => {
  provider.script(answer.text("In May [1]. All of them [2][3]."));
  const { choices } = await client.chat.completions.create({ ...question, model: "knowledge/site" });
  const annotations = (choices[0]?.message.annotations ?? []) as Annotation[];
  expect(annotations.map(({ citation }) => citation.url)).toEqual(Array(3).fill(annotations[0]?.citation.url));
  // It merges sources with the same address, and [n] is the n-th that is left.
  const sources = [...new Map(annotations.map(({ url_citation: { url }, citation }) => [url, citation])).entries()];
  expect(sources.map(([, { n, quote }]) => [n, quote])).toEqual(
    given().map(({ content }: { content: string }, index: number) => [index + 1, content]),
  );
  for (const [url] of sources) expect(url).toMatch(/^http:\/\/[\d.:]+\/paid#\/terms:~:char=\d+,\d+$/);
  provider.script(answer.text("In May [2]."));
  const one = await client.chat.completions.create({ ...question, model: "knowledge/site" });
  expect(one.choices[0]?.message.annotations?.map(({ url_citation: { url } }) => url)).toEqual([
    `${origin}/paid#/terms`,
  ]);
});

test("an answer without marks rests as a whole on what was found, and one that finds nothing on nothing", async () => {
  provider.script(answer.text("Within 30 days."));
  const cited = await client.chat.completions.create({ ...question, model: "knowledge" });
  const [message] = cited.choices.map((choice) => choice.message);
  expect(resolve(message?.content ?? "", message?.annotations ?? [])).toEqual([
    ["Within 30 days.", 1, "Refunds are never paid."],
  ]);
  provider.script(answer.text("[0] The documents do not tell."));
  const nothing = await client.chat.completions.create(question);
  expect(nothing.choices[0]?.message).toMatchObject({ content: "The documents do not tell.", annotations: [] });
});

test("a mark that the model repeats thousands of times is annotated once", async () => {
  provider.script(answer.text(...Array<string>(5_000).fill("So [2]. ")));
  const { choices } = await client.chat.completions.create(question);
  expect(choices[0]?.message.content?.split("[1]")).toHaveLength(5_001);
  expect(choices[0]?.message.annotations).toHaveLength(1);
});

test("a stream has the same content, then annotations, the reason of its end and the usage", async () => {
  provider.script(answer.text("To the ", "card [", "2]. Within ", "30 days [1", "]."));
  const stream = client.chat.completions.stream({ ...question, stream_options: { include_usage: true } });
  const chunks: OpenAI.ChatCompletionChunk[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  for (const chunk of chunks) chatCompletionChunkSchema.parse(chunk);
  const final = await stream.finalChatCompletion();
  expect(final.choices[0]?.message.content).toBe("To the card [1]. Within 30 days [2].");
  expect(resolve(final.choices[0]?.message.content ?? "", final.choices[0]?.message.annotations ?? [])).toEqual([
    ["[1]", 1, given()[1].content],
    ["[2]", 2, given()[0].content],
  ]);
  expect(final.usage).toEqual(usage);
  expect(new Set(chunks.map(({ id }) => id)).size).toBe(1);
  expect(chunks.map(({ choices }) => choices[0] && Object.keys(choices[0].delta).join())).toEqual([
    "role,content",
    ...Array(chunks.length - 4).fill("content"),
    "annotations",
    "",
    undefined,
  ]);
});

test("a stream is SSE with heartbeats, and ends with [DONE]; usage is sent only when it is asked for", async () => {
  const pause = new Promise((resolve) => setTimeout(resolve, 120));
  provider.script({
    async respond(request, reply) {
      await pause;
      await answer.text("Soon [1].").respond(request, reply);
    },
  });
  const { response } = await client.chat.completions.create({ ...question, stream: true }).withResponse();
  const headers = { "content-type": "text/event-stream", "cache-control": "no-cache", "x-accel-buffering": "no" };
  expect(Object.fromEntries(response.headers)).toMatchObject({ ...headers, "access-control-allow-origin": "*" });
  const raw = await fetch(`${service.baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: "Bearer shop" },
    body: JSON.stringify({ ...question, stream: true }),
  });
  const text = await raw.text();
  expect(text).toMatch(/^(?:: keep-alive\n\n)?data: \{"id":"chatcmpl-.*\n\n(?:: keep-alive\n\n)*data: /);
  expect(text.endsWith("\n\ndata: [DONE]\n\n")).toBe(true);
  expect(text).not.toContain(`"usage"`);
});

test("Open WebUI, which reads lines of up to 128 KiB, gets an answer that rests on forty long passages", async () => {
  const topics = ["Refunds", "Returns", "Vouchers", "Deliveries"];
  const value = (topic: string, number: number) => `${topic} ${number}: ${"五月付款，货物十日内退回。".repeat(110)}`;
  const sources = topics.flatMap((topic) =>
    Array.from({ length: 10 }, (_, number) => ({
      type: "text",
      title: `${topic} ${number}`,
      value: value(topic, number),
    })),
  );
  await ingest({ namespace: "long", sources });
  const search = (query: string) => answer.toolCalls([{ name: "searchDocs", args: { query } }]);
  const script = () =>
    provider.script([search("Returns"), search("Vouchers"), search("Deliveries"), answer.text("In May.")]);
  const about = { model: "knowledge/long", messages: [user("Refunds")] };
  script();
  const response = await client.chat.completions.create({ ...about, stream: true }).asResponse();
  const lines = (await response.text()).split("\n");
  expect(Math.max(...lines.map((line) => Buffer.byteLength(line)))).toBeLessThan(128 * 1_024);
  const chunks = lines.flatMap((line) => (line.startsWith("data: {") ? [JSON.parse(line.slice("data: ".length))] : []));
  const streamed = chunks.flatMap(({ choices }) => choices[0].delta.annotations ?? []);
  script();
  const whole = await client.chat.completions.create(about);
  const annotations = (whole.choices[0]?.message.annotations ?? []) as Annotation[];
  expect(annotations).toHaveLength(40);
  // Each source is there, and as many of their passages as fit.
  expect(streamed.map(({ url_citation }) => url_citation)).toEqual(annotations.map(({ url_citation }) => url_citation));
  const quoted = streamed.filter(({ citation }) => citation).length;
  expect(streamed.slice(0, quoted)).toEqual(annotations.slice(0, quoted));
  expect(quoted).toBeGreaterThan(10);
});

test("roles, content parts and other parameters of OpenAI's clients are taken", async () => {
  provider.script(answer.text("Yes [1]."));
  const completion = await client.chat.completions.create({
    model: "knowledge/team/a",
    messages: [
      { role: "developer", content: "Be short." },
      user("Are you there?"),
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      { role: "tool", tool_call_id: "c1", content: "{}" },
      { role: "assistant", content: "Yes.", name: "librarian" },
      {
        role: "user",
        name: "ada",
        content: [
          { type: "text", text: "When are refunds paid?" },
          { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
        ],
      },
    ],
    n: 1,
    temperature: 0,
    top_p: 1,
    max_tokens: 5,
    max_completion_tokens: 5,
    frequency_penalty: 0,
    presence_penalty: 0,
    logit_bias: {},
    logprobs: false,
    top_logprobs: 0,
    metadata: {},
    modalities: ["text"],
    parallel_tool_calls: true,
    prediction: null,
    prompt_cache_key: "x",
    reasoning_effort: "low",
    response_format: { type: "text" },
    safety_identifier: "x",
    seed: 1,
    service_tier: "auto",
    stop: ["\n\n"],
    store: false,
    stream: false,
    stream_options: null,
    tool_choice: "auto",
    tools: [{ type: "function", function: { name: "f", parameters: {} } }],
    user: "ada",
    verbosity: "low",
    web_search_options: {},
    // What Open WebUI, LibreChat and the clients of OpenRouter and text-generation-webui add.
    ...{ models: ["knowledge", "gpt-4o"], mode: "instruct", filter_ids: [], tool_servers: [], parent_message: {} },
    ...{ chat_id: "c", session_id: "s", id: "m", features: {}, variables: {}, tool_ids: [], files: [], params: {} },
    ...{ background_tasks: {}, top_k: 40, min_p: 0, num_ctx: 2048, keep_alive: "5m", format: "json", think: false },
    ...{ repeat_penalty: 1, transforms: [], provider: {}, plugins: [], usage: { include: true }, route: "fallback" },
  });
  expect(completion.choices[0]?.message.content).toBe("Yes [1].");
  const sent = provider.chatRequests.at(-1)?.body.messages.slice(1, 5);
  expect(sent.map(({ role, content }: { role: string; content: string }) => `${role}: ${content}`)).toEqual([
    "system: Be short.",
    "user: Are you there?",
    "assistant: Yes.",
    "user: When are refunds paid?",
  ]);
  const warnings = (completion as unknown as { warnings: { pointer: string }[] }).warnings;
  expect(warnings.map(({ pointer }) => pointer)).toContain("/temperature");
});

test("models are the namespaces that hold documents and that the key may use", async () => {
  const list = await client.models.list();
  modelsResponseSchema.parse({ object: "list", data: list.data });
  expect(list.data.map(({ id }) => id)).toEqual([
    "knowledge",
    "knowledge/long",
    "knowledge/shop",
    "knowledge/site",
    "knowledge/team/a",
  ]);
  expect((await shopClient.models.list()).data.map(({ id }) => id)).toEqual(["knowledge/shop"]);
  for (const { id } of list.data) expect(modelSchema.parse(await client.models.retrieve(id)).id).toBe(id);
  const unescaped = await fetch(`${service.baseUrl}/v1/models/knowledge/team/a`, {
    headers: { Authorization: "Bearer everything" },
  });
  expect(await unescaped.json()).toMatchObject({ id: "knowledge/team/a" });
});

type Refused = [what: string, status: number, send: () => Promise<unknown>, error: object];
const ask = (more: object, by = client) =>
  by.chat.completions.create({ ...question, ...more } as typeof question).asResponse();

test.each<Refused>([
  ["no key", 401, () => ask({}, connect("wrong")), { code: "unauthorized" }],
  ["a foreign namespace", 403, () => ask({ model: "knowledge/default" }, shopClient), { code: "forbidden" }],
  ["the default one", 403, () => ask({ model: "knowledge" }, shopClient), { code: "forbidden" }],
  ["a foreign model", 403, () => shopClient.models.retrieve("knowledge/team/a"), { code: "forbidden" }],
  ["a foreign name", 403, () => shopClient.models.retrieve("knowledge/none"), { code: "forbidden" }],
  ["another model", 404, () => ask({ model: "gpt-4o" }), { code: "not-found" }],
  ["an unknown namespace", 404, () => ask({ model: "knowledge/none" }), { code: "not-found" }],
  ["an unknown model", 404, () => client.models.retrieve("knowledge/none"), { code: "not-found" }],
  ["an unknown address", 404, () => client.embeddings.create({ model: "a", input: "b" }), { code: "not-found" }],
  ["another method", 405, () => client.models.delete("knowledge"), { code: "method-not-allowed" }],
  ["no message", 400, () => ask({ messages: [] }), { code: "no-message" }],
  ["several answers", 422, () => ask({ n: 2 }), { code: "invalid-input", param: "n" }],
  ["two namespaces", 422, () => ask({ namespace: "default" }), { code: "invalid-input", param: "namespace" }],
  [
    "a wrong role",
    422,
    () => ask({ messages: [{ role: "x", content: "" }] }),
    { code: "invalid-input", param: "messages.0.role" },
  ],
])("%s is an error in the shape of OpenAI", async (_what, status, send, error) => {
  const refusal = await send().catch((thrown: unknown) => thrown);
  expect(refusal).toBeInstanceOf(APIError);
  expect(refusal).toMatchObject({ status, param: null, type: "invalid_request_error", ...error });
  const { error: body, message } = refusal as APIError & { error: { message: string } };
  expect(message).toBe(`${status} ${body.message}`);
});

test.each<[what: string, path: string, send: (by: OpenAI) => Promise<unknown>]>([
  ["a base URL without /v1", "", (by) => by.models.list()],
  ["a base URL without /v1 for a question", "", (by) => by.chat.completions.create(question)],
  ["a base URL with /v1 twice", "/v1/v1", (by) => by.models.list()],
  ["another product's base URL", "/openai/v1", (by) => by.chat.completions.create(question)],
  ["a base URL with a slash too many", "//v1", (by) => by.models.list()],
  ["a base URL in capital letters", "/V1", (by) => by.models.list()],
  ["OpenAI's Responses API", "/v1", (by) => by.responses.create({ model: "knowledge", input: "When?" })],
])("a client set up with %s is told what is right", async (_what, path, send) => {
  await expect(send(connect("everything", path))).rejects.toMatchObject({
    status: 404,
    message: expect.stringContaining("a base URL that ends with /v1 unless the client appends that itself"),
  });
});

test("a provider's failure is an error too, in the last event of a stream", async () => {
  provider.script(answer.error(401, "wrong key sk-secret"));
  const failure = { message: expect.stringContaining("rejected the API key"), type: "server_error" };
  await expect(client.chat.completions.create(question)).rejects.toMatchObject({ status: 502, error: failure });
  const stream = await client.chat.completions.create({ ...question, stream: true });
  const read = async () => {
    for await (const _chunk of stream);
  };
  await expect(read()).rejects.toMatchObject({ error: failure, code: "provider-failed" });
});

test("a client that aborts ends the provider's request", async () => {
  provider.script(answer.hangAfter("Within "));
  const count = provider.chatRequests.length;
  const stream = await client.chat.completions.create({ ...question, stream: true });
  const { closed } = await provider.chatRequest(count + 1);
  stream.controller.abort();
  await closed;
});

test("while the service drains, requests are refused and open streams end with an error", async () => {
  provider.script(answer.hangAfter("Within "));
  const stream = await client.chat.completions.create({ ...question, stream: true });
  const read = (async () => {
    for await (const _chunk of stream);
  })();
  const ended = service.end("SIGTERM");
  await expect(
    (async () => {
      for (;;) await client.models.list();
    })(),
  ).rejects.toMatchObject({ status: 503, code: "unavailable" });
  await expect(read).rejects.toMatchObject({ code: "unavailable" });
  expect(await ended).toBe(0);
});
