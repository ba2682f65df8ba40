import { createHash } from "node:crypto";
import type { ServiceProcess } from "@agent-backends/testing";
import { answer, postWithoutReading, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { post, requestLines, sendRaw, serviceNames, start, streaming } from "./services.ts";

const provider = await startScriptedProvider();
afterAll(() => provider.close());

describe.each(serviceNames)("a request to %s", (name) => {
  const { path, body } = streaming[name];
  let service: ServiceProcess;
  let answered = 0;
  beforeAll(async () => {
    service = await start(name, { LLM_BASE_URL: provider.baseUrl, LISTING_API_URL: "http://127.0.0.1:9/graphql" });
  });
  afterAll(() => service.end());
  const next = async () => {
    answered += 1;
    return (await requestLines(service, answered))[answered - 1];
  };

  test("is one line with what an operator needs, and without what a client said", async () => {
    provider.script(answer.text("SECRET-ANSWER ", "word"));
    const response = await post(`${service.baseUrl}${path}?token=SECRET-QUERY`, body, {
      authorization: "Bearer SECRET-KEY",
      "x-request-id": "my-id.1",
    });
    expect(response.headers.get("x-request-id")).toBe("my-id.1");
    await response.text();
    const line = await next();
    expect(line).toMatchObject({
      level: 30,
      service: name,
      request_id: "my-id.1",
      method: "POST",
      route: path,
      status: 200,
      outcome: "finished",
      duration_ms: expect.any(Number),
      queue_ms: expect.any(Number),
      first_token_ms: expect.any(Number),
    });
    expect(Number(line?.queue_ms)).toBeLessThanOrEqual(Number(line?.first_token_ms));
    expect(Number(line?.first_token_ms)).toBeLessThanOrEqual(Number(line?.duration_ms));
    if (name === "knowledge") {
      const hash = createHash("sha256").update("SECRET-CUSTOMER").digest("hex");
      expect(line?.namespace_hash).toBe(hash.slice(0, 16));
    }
    // The relay's default profile doesn't ask the provider for a token count.
    if (!name.startsWith("relay")) expect(line).toMatchObject({ input_tokens: 7, output_tokens: 5 });
    expect(JSON.stringify(service.log)).not.toContain("SECRET");
  });

  test("whose id is missing, long or odd gets another one", async () => {
    const ids = [];
    for (const id of [undefined, "a b", "x".repeat(65)]) {
      const response = await fetch(`${service.baseUrl}/health`, {
        headers: id === undefined ? {} : { "x-request-id": id },
      });
      await response.text();
      ids.push(response.headers.get("x-request-id"));
      expect(await next()).toMatchObject({ request_id: ids.at(-1), route: "/health", status: 200 });
    }
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  });

  test("to no route is refused, and its address is not logged", async () => {
    const response = await fetch(`${service.baseUrl}/SECRET-PATH?key=SECRET`);
    await response.text();
    expect(await next()).toMatchObject({ route: "other", status: 404, outcome: "refused" });
    expect(JSON.stringify(service.log)).not.toContain("SECRET");
  });

  test("whose body is wrong is refused", async () => {
    const response = await post(service.baseUrl + path, { messages: 7 });
    await response.text();
    expect(await next()).toMatchObject({ route: path, status: 422, outcome: "refused" });
  });

  test("that fails at the provider is an error of its kind", async () => {
    provider.script(answer.cutAfter("Hel"));
    await (await post(service.baseUrl + path, body)).text();
    const line = await next();
    expect(line).toMatchObject({ status: 200, outcome: "error", failure: "provider_cut" });
    // A separate line with the same request id says why it failed.
    const warned = service.log.filter(({ level, request_id }) => level === 40 && request_id === line?.request_id);
    expect(warned).toMatchObject([{ err: { message: expect.stringContaining("broke off") } }]);
  });

  test.each([
    ["whose head is over the limit", `GET /health HTTP/1.1\r\nHost: x\r\nX: ${"SECRET".repeat(4_000)}\r\n\r\n`, 431],
    ["that is no HTTP", "SECRET\r\n\r\n", 400],
  ])("%s is answered with problem details, and is a line too", async (_what, bytes, status) => {
    const answered = await sendRaw(service.baseUrl, bytes);
    expect(answered).toMatch(
      new RegExp(`^HTTP/1\\.1 ${status} .*\r\nContent-Type: application/problem\\+json.*"status":${status}`, "s"),
    );
    const [, id] = /\r\nX-Request-Id: (\S+)/.exec(answered) ?? [];
    const lines = () => service.log.filter(({ request_id }) => request_id === id);
    await expect.poll(lines).toMatchObject([{ level: 30, status, msg: "a request could not be read" }]);
    expect(JSON.stringify(service.log)).not.toContain("SECRET");
  });

  test("without a host is refused", async () => {
    expect(await sendRaw(service.baseUrl, "GET /health HTTP/1.1\r\nConnection: close\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 400 .*\r\nContent-Type: application\/problem\+json.*has no Host header/s,
    );
    expect(await next()).toMatchObject({ status: 400, outcome: "refused" });
  });

  test("passes its trace on to the provider where no collector is named, if it is well made", async () => {
    provider.script(answer.text("Hello."));
    provider.requests.length = 0;
    const trace = { traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", tracestate: "vendor=1" };
    for (const headers of [trace, { traceparent: "00-0-0-01", tracestate: "a=b" }]) {
      await (await post(service.baseUrl + path, body, headers)).text();
      await next();
    }
    const [passedOn, dropped] = provider.chatRequests;
    expect(passedOn?.headers).toMatchObject(trace);
    expect(dropped?.headers).not.toHaveProperty("traceparent");
    expect(dropped?.headers).not.toHaveProperty("tracestate");
  });

  test("whose client disconnects has the outcome client_gone", async () => {
    const before = provider.chatRequests.length;
    provider.script(answer.hangAfter("Hel"));
    const client = await postWithoutReading(service.baseUrl + path, body);
    await provider.chatRequest(before + 1);
    client.leave();
    expect(await next()).toMatchObject({ outcome: "client_gone" });
  });
});
