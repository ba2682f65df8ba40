import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { AgentCapabilitiesSchema } from "@ag-ui/core/schemas";
import { expect, test } from "vitest";
import type { Bench } from "./support/harness.ts";
import { describeBoth } from "./support/harness.ts";
import { postAgent, runInput } from "./support/run-inputs.ts";

async function problem(response: Response) {
  expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  const body = (await response.json()) as { status: number; detail: string; errors?: { pointer: string }[] };
  expect(body).toMatchObject({ type: expect.any(String), title: expect.any(String), detail: expect.any(String) });
  expect(body.status).toBe(response.status);
  expect(JSON.stringify(body)).not.toMatch(/node_modules|\.ts|\.js|<html|at \S+ \(/);
  return body;
}

describeBoth("a request that is no run input", (bench) => {
  test.each<[string, Record<string, unknown>, string[]]>([
    ["no messages", { messages: undefined }, ["/messages"]],
    ["empty messages", { messages: [] }, ["/messages"]],
    ["messages that only a client reads", { messages: [{ id: "1", role: "reasoning", content: "" }] }, ["/messages"]],
    ["no ids", { threadId: undefined, runId: 7 }, ["/threadId", "/runId"]],
    ["a long id", { threadId: "t".repeat(1_001) }, ["/threadId"]],
    ["an unknown role", { messages: [{ id: "1", role: "robot", content: "" }] }, ["/messages/0/role"]],
    [
      "a tool message without its call",
      { messages: [{ id: "1", role: "tool", content: "" }] },
      ["/messages/0/toolCallId"],
    ],
    ["a message without an id", { messages: [{ role: "user", content: "" }] }, ["/messages/0/id"]],
    ["content that is no text", { messages: [{ id: "1", role: "user", content: 7 }] }, ["/messages/0/content"]],
    [
      "a tool call without its function",
      { messages: [{ id: "1", role: "assistant", toolCalls: [{ id: "c" }] }] },
      ["/messages/0/toolCalls/0/function"],
    ],
    ["a tool without a name", { tools: [{ description: "" }] }, ["/tools/0/name"]],
    ["tools that are no list", { tools: {} }, ["/tools"]],
    ["misspelt fields", { mesages: [], tool: [] }, ["/mesages", "/tool"]],
    ["a misspelt state", { stat: {}, sate: {} }, ["/stat", "/sate"]],
    [
      "misspelt properties",
      { fowardedProps: {}, forwardedProp: {}, forwarded_props: {} },
      ["/fowardedProps", "/forwardedProp", "/forwarded_props"],
    ],
    [
      "an encrypted value that is too long",
      { messages: [{ id: "1", role: "user", content: "", encryptedValue: "x".repeat(1_000_001) }] },
      ["/messages/0/encryptedValue"],
    ],
    ["the profile in its body", { profile: "ag-ui" }, ["/profile"]],
    [
      "a conversation in snake case",
      { messages: [{ id: "1", role: "tool", content: "", tool_call_id: "c" }] },
      ["/messages/0/tool_call_id"],
    ],
  ])("with %s is refused with 422 and names the field", async (_what, fields, pointers) => {
    const response = await postAgent(bench.relay.url, runInput(fields));
    expect(response.status).toBe(422);
    expect((await problem(response)).errors?.map(({ pointer }) => pointer)).toEqual(pointers);
    expect(bench.provider.requests).toEqual([]);
  });

  test.each(["[]", "7", '"text"', "null"])("because it is %s is refused with 422", async (body) => {
    const response = await postAgent(bench.relay.url, body);
    expect(response.status).toBe(422);
    await problem(response);
  });

  test.each(["{", "", "{'a': 1}"])("because %j is not JSON is refused with 400", async (body) => {
    const response = await postAgent(bench.relay.url, body);
    expect(response.status).toBe(400);
    await problem(response);
  });

  test("in another media type is refused with 415", async () => {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin1"]) {
      const response = await postAgent(bench.relay.url, runInput(), { headers: { "Content-Type": type } });
      expect(response.status).toBe(415);
      await problem(response);
    }
  });

  test("over the size limit is refused with 413", async () => {
    const content = "x".repeat(10 * 1024 * 1024);
    const response = await postAgent(bench.relay.url, runInput({ messages: [{ id: "1", role: "user", content }] }));
    expect(response.status).toBe(413);
    await problem(response);
  });
});

const manyNumbers = (count: number) => JSON.stringify(runInput()).replace('"Hello?"', `[${"1,".repeat(count - 1)}1]`);

describeBoth("a body of more than the relay can take", (bench) => {
  const refused = async (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) => {
    const init = { body, headers: { "Content-Type": "application/json", ...headers } };
    const response = await postAgent(bench.relay.url, "", init);
    const { status, detail, errors = [] } = await problem(response);
    expect(bench.provider.requests).toEqual([]);
    return { status, detail, errors };
  };

  test.each([
    ["br", brotliCompressSync],
    ["gzip", gzipSync],
    ["deflate", deflateSync],
  ])("is not unfolded: one in %s is refused with 415", async (encoding, compress) => {
    const body = new Uint8Array(compress(manyNumbers(4_000_000)));
    const { status, detail } = await refused(body, { "Content-Encoding": encoding });
    expect([status, detail]).toEqual([415, expect.stringContaining("uncompressed")]);
    expect(bench.relay.log).toEqual([]);
  });

  test("in values is refused with 413, with the limit, before it is parsed", async () => {
    const { status, detail } = await refused(manyNumbers(4_000_000));
    expect([status, detail]).toEqual([413, expect.stringContaining("25000 values")]);
  });

  test("in levels is refused with 413, with the limit", async () => {
    const { status, detail } = await refused(`{"tools":${"[".repeat(20_000)}${"]".repeat(20_000)}}`);
    expect([status, detail]).toEqual([413, expect.stringContaining("500 levels")]);
  });

  test("in bytes is refused with 413, with the limit", async () => {
    const { status, detail } = await refused(`"${"x".repeat(11_000_000)}"`);
    expect([status, detail]).toEqual([413, expect.stringContaining("10485760 bytes")]);
  });

  test("in wrong parts has the first of them named", async () => {
    const { status, errors } = await refused(manyNumbers(20_000));
    expect([status, errors.length]).toEqual([422, 20]);
    expect(errors[0]?.pointer).toBe("/messages/0/content/0");
  });
});

describeBoth("a run input", (bench) => {
  test("may leave out, or say as null, whatever is not needed", async () => {
    const { threadId, runId, messages } = runInput();
    for (const fields of [{}, { tools: null, context: null, state: null, forwardedProps: null }, { state: 7 }]) {
      const response = await postAgent(bench.relay.url, { threadId, runId, messages, ...fields });
      expect(response.status).toBe(200);
      expect(await response.text()).toContain("RUN_FINISHED");
    }
  });

  test("may have parts of unknown kinds, beside which the text is read", async () => {
    const other = { type: "data", data: { rows: [1] }, url: 7, mimeType: null };
    const content = [{ type: "text", text: "Hello?" }, other];
    await bench.run({ messages: [{ id: "1", role: "user", content }] });
    expect(bench.provider.chatRequests[0]?.body.messages).toEqual([{ role: "user", content: "Hello?" }]);
  });

  test.each(["text/event-stream", "*/*", "application/json", "text/event-stream;q=0", "application/json, */*;q=0"])(
    "is answered with a stream, whatever is accepted: %s",
    async (accept) => {
      const headers = { "Content-Type": "application/json", Accept: accept };
      const response = await postAgent(bench.relay.url, runInput(), { headers });
      expect(response.headers.get("content-type")).toBe("text/event-stream");
      expect(await response.text()).toContain("RUN_FINISHED");
    },
  );
});

describeBoth("what is wrong with a field", (bench) => {
  test.each([
    ["a run's id of 1,001 characters", { runId: "x".repeat(1_001) }, "must have at most 1000 characters"],
    ["no name of a tool", { tools: [{ description: "" }] }, "give a tool as {name, description, parameters}"],
    ["an empty name of a tool", { tools: [{ name: "" }] }, "must have at least 1 character"],
    [
      "a tool as OpenAI has it",
      { tools: [{ type: "function", function: { name: "weather" } }] },
      "without `function` around it",
    ],
    ["a list for a part of content", { messages: [{ id: "1", role: "user", content: [[]] }] }, "must be a JSON object"],
  ])("is said in the relay's own words: %s", async (_what, fields, detail) => {
    const { errors } = await problem(await postAgent(bench.relay.url, runInput(fields)));
    expect(errors).toMatchObject([{ detail: expect.stringContaining(detail) }]);
  });
});

describeBoth("a body whose letters are not in UTF-8", (bench) => {
  test.each(["caf\xe9", `${"x".repeat(200_000)}caf\xe9`])("is 400, and nothing is asked", async (content) => {
    const input = JSON.stringify(runInput({ messages: [{ id: "1", role: "user", content }] }));
    const headers = { "Content-Type": "application/json" };
    const body = Buffer.from(input, "latin1");
    const response = await fetch(`${bench.relay.url}/agent`, { method: "POST", headers, body });
    expect(response.status).toBe(400);
    expect((await problem(response)).detail).toBe("The body is not UTF-8; send a JSON object in UTF-8.");
    expect(bench.provider.chatRequests).toEqual([]);
  });
});

describeBoth("other addresses and methods", (bench) => {
  test("an unknown address is 404", async () => {
    for (const path of ["/", "/nothing", "/agent/more", "/agent%2F", "/%25zz", "/x?%zz"]) {
      const response = await fetch(bench.relay.url + path);
      expect([path, response.status]).toEqual([path, 404]);
      await problem(response);
    }
  });

  test("an address of OpenAI's interface is 404, in its words, and names the service that has it", async () => {
    const response = await fetch(`${bench.relay.url}/v1/chat/completions`, { method: "POST" });
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({
      error: { message: expect.stringContaining("only the Knowledge service has OpenAI's API") },
    });
  });

  test("the address of a run is 404 and names RUNS_URL where no runs are kept", async () => {
    for (const method of ["GET", "HEAD", "DELETE", "POST"]) {
      const response = await fetch(`${bench.relay.url}/agent/runs/run-1`, { method });
      expect([method, response.status]).toEqual([method, 404]);
      if (method !== "HEAD") expect((await problem(response)).detail).toContain("start it with RUNS_URL");
    }
  });

  test("an address that can't be decoded is 400", async () => {
    for (const path of ["/%zz", "/nothing/%", "/agent%ff", "/%c3/agent"]) {
      for (const method of ["GET", "POST"]) {
        const response = await fetch(bench.relay.url + path, { method });
        expect([path, response.status]).toEqual([path, 400]);
        expect((await problem(response)).detail).toMatch(/address/);
      }
    }
  });

  test.each([
    ["GET", "/agent", "POST, OPTIONS"],
    ["DELETE", "/agent", "POST, OPTIONS"],
    ["POST", "/health", "GET, HEAD, OPTIONS"],
    ["PUT", "/ready", "GET, HEAD, OPTIONS"],
    ["POST", "/agent/capabilities", "GET, HEAD, OPTIONS"],
  ])("%s %s is 405 and says what is allowed", async (method, path, allowed) => {
    const response = await fetch(bench.relay.url + path, { method });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe(allowed);
    expect((await problem(response)).detail).toContain(`takes ${allowed}.`);
  });

  test("health tells the time, ready says yes", async () => {
    const health = await fetch(`${bench.relay.url}/health`);
    expect(health.status).toBe(200);
    const { status, timestamp } = (await health.json()) as { status: string; timestamp: string };
    expect(status).toBe("ok");
    expect(new Date(timestamp).toISOString()).toBe(timestamp);
    expect((await fetch(`${bench.relay.url}/ready`)).status).toBe(200);
    expect((await fetch(`${bench.relay.url}/health`, { method: "HEAD" })).status).toBe(200);
  });

  test("capabilities are AG-UI's", async () => {
    const response = await fetch(`${bench.relay.url}/agent/capabilities`);
    const capabilities = await response.json();
    expect(capabilities).toMatchObject({ transport: { resumable: false }, tools: { clientProvided: true } });
    // The schema keeps unknown fields, so none of the groups may have one.
    expect(AgentCapabilitiesSchema.parse(capabilities)).toEqual(capabilities);
    const { shape } = AgentCapabilitiesSchema;
    for (const [group, fields] of Object.entries(capabilities as Record<string, object>)) {
      const known = (shape[group as keyof typeof shape] as unknown as { def: { innerType: { shape: object } } }).def
        .innerType.shape;
      expect(Object.keys(known)).toEqual(expect.arrayContaining(Object.keys(fields)));
    }
    await bench.restart({ runsUrl: "memory:" });
    const withRuns = await fetch(`${bench.relay.url}/agent/capabilities`);
    expect(await withRuns.json()).toMatchObject({ transport: { resumable: true } });
  });

  test("no header tells what the server is made of", async () => {
    expect((await fetch(`${bench.relay.url}/health`)).headers.has("x-powered-by")).toBe(false);
  });
});

describeBoth("a browser of another origin", (bench) => {
  const origin = "https://chat.example.com";
  const preflight = (from: Bench) =>
    fetch(`${from.relay.url}/agent`, {
      method: "OPTIONS",
      headers: {
        Origin: origin,
        "Access-Control-Request-Method": "POST",
        "Access-Control-Request-Headers": "content-type,authorization,x-api-key",
      },
    });

  test("may call", async () => {
    const response = await preflight(bench);
    expect(response.status).toBe(204);
    expect(["*", origin]).toContain(response.headers.get("access-control-allow-origin"));
    expect(response.headers.get("access-control-allow-methods")).toBe("GET,HEAD,PUT,PATCH,POST,DELETE");
    expect(response.headers.get("access-control-allow-headers")).toBe("content-type,authorization,x-api-key");
    expect(response.headers.get("access-control-max-age")).toBe("600");
    const run = await postAgent(bench.relay.url, runInput(), {
      headers: { Origin: origin, "Content-Type": "application/json" },
    });
    expect(["*", origin]).toContain(run.headers.get("access-control-allow-origin"));
    await run.text();
  });

  test("may read errors too", async () => {
    const response = await postAgent(bench.relay.url, "{", {
      headers: { Origin: origin, "Content-Type": "application/json" },
    });
    expect(["*", origin]).toContain(response.headers.get("access-control-allow-origin"));
  });

  test("may send its credentials to the NestJS one", async ({ task }) => {
    const response = await preflight(bench);
    const nest = task.suite?.name.includes("(nest)");
    expect(response.headers.get("access-control-allow-credentials")).toBe(nest ? "true" : null);
    // The origin must not be echoed: any page could then use its visitor's credentials.
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
  });
});
