import type { Socket } from "node:net";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import { answer, parseSse, postWithoutReading } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { describeBoth, readTextPieces } from "./support/harness.ts";
import { postAgent, runInput } from "./support/run-inputs.ts";

const frame = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;

describeBoth("a client that goes away", (bench) => {
  test.each([
    ["before the provider has answered", answer.hang()],
    ["while the provider is silent", answer.hangAfter("a")],
  ])("%s ends the provider's request", async (_when, script) => {
    bench.provider.script(script);
    const leaving = new AbortController();
    const response = await postAgent(bench.relay.url, runInput(), { signal: leaving.signal });
    const request = await bench.provider.chatRequest();
    await readTextPieces(response).next();
    expect(request.aborted).toBe(false);
    leaving.abort();
    await request.closed;
    expect(request.aborted).toBe(true);
    expect(bench.relay.log).toEqual([]);
  });

  test("in the middle of a fast stream ends the provider's request", async () => {
    bench.provider.script(answer.bytes(endless()));
    const client = await postWithoutReading(`${bench.relay.url}/agent`, runInput());
    const request = await bench.provider.chatRequest();
    client.leave();
    await request.closed;
    expect(request.aborted).toBe(true);
  });
});

function* endless(): Generator<string> {
  const piece = frame("x".repeat(1000)).repeat(16);
  for (;;) yield piece;
}

describeBoth("a client that closes its half of the connection after its request", (bench) => {
  function askAndClose(version: string): Socket {
    const { hostname, port } = new URL(bench.relay.url);
    const body = JSON.stringify(runInput());
    const head = `POST /agent HTTP/${version}\r\nHost: relay\r\nContent-Type: application/json\r\n`;
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.end(`${head}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    return socket;
  }

  test.each(["1.0", "1.1"])("gets the whole answer over HTTP/%s, and its connection is closed", async (version) => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    bench.provider.script(answer.bytes([frame("half"), goOn, frame("whole"), "data: [DONE]\n\n"]));
    let seen = "";
    for await (const bytes of askAndClose(version)) {
      seen += String(bytes);
      if (seen.includes("half")) setTimeout(resolve, 30);
    }
    expect(seen).toMatch(/^HTTP\/1\.1 200 .*half.*whole.*RUN_FINISHED/s);
    expect(bench.relay.log).toEqual([]);
  });

  test.each(["", "Connection: Upgrade\r\nUpgrade: websocket\r\n"])(
    "before all of its request has come is not waited for (%j)",
    async (headers) => {
      const { hostname, port } = new URL(bench.relay.url);
      const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
      const head = `POST /agent HTTP/1.1\r\nHost: relay\r\nContent-Type: application/json\r\n${headers}`;
      socket.end(`${head}Transfer-Encoding: chunked\r\n\r\nno chunk\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 /);
    },
  );

  test("and then goes away ends the provider's request, though the provider is silent", async () => {
    await bench.restart({ heartbeatMs: 100 });
    bench.provider.script(answer.hang());
    const socket = askAndClose("1.1");
    const request = await bench.provider.chatRequest();
    expect(request.aborted).toBe(false);
    socket.destroy();
    await request.closed;
    expect(request.aborted).toBe(true);
  });
});

describeBoth("a client that does not read", (bench) => {
  test("stops the provider, gets everything once it reads, and others go on beside it", async () => {
    const total = 48 * 1024 * 1024;
    let written = 0;
    bench.provider.script((_request, index) => {
      if (index > 0) return answer.bytes([frame("y".repeat(1000)).repeat(256), "data: [DONE]\n\n"]);
      return answer.bytes(
        (function* () {
          const piece = frame("x".repeat(1000)).repeat(64);
          while (written < total) {
            written += piece.length;
            yield piece;
          }
          yield "data: [DONE]\n\n";
        })(),
      );
    });
    const slow = await postWithoutReading(`${bench.relay.url}/agent`, runInput());
    for (let before = -1; written === 0 || written > before; await delay(200)) before = written;
    // The rest is in the socket buffers, which may grow to 36 MB on Linux.
    expect(written).toBeLessThan(total / 1.25);

    expect((await bench.run()).at(-1)?.type).toBe("RUN_FINISHED");
    const answered = await slow.readAll();
    expect(written).toBeGreaterThanOrEqual(total);
    // None of it was overwritten by the other answer.
    expect(answered.match(/TEXT_MESSAGE_CONTENT","messageId":"[^"]+","delta":"x{1000}"\}\n\n/g)).toHaveLength(
      (written / frame("x".repeat(1000)).length) | 0,
    );
    expect(answered).toContain("RUN_FINISHED");
  });
});

describeBoth("a stream that is silent", (bench) => {
  test("carries heartbeats", async () => {
    await bench.restart({ heartbeatMs: 30 });
    const { promise, resolve } = Promise.withResolvers<void>();
    bench.provider.script(answer.bytes([frame("a"), promise, frame("b"), "data: [DONE]\n\n"]));
    const pieces = readTextPieces(await postAgent(bench.relay.url, runInput()));
    let seen = "";
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
      seen += piece.value;
      if ((seen.match(/: keep-alive/g) ?? []).length >= 2) resolve();
    }
    const frames = parseSse(seen);
    expect(frames.filter((sent) => "comment" in sent && sent.comment === "keep-alive").length).toBeGreaterThanOrEqual(
      2,
    );
    expect(seen).toContain(`"delta":"b"`);
  });

  test("because its provider has not answered yet carries heartbeats too", async () => {
    await bench.restart({ heartbeatMs: 20 });
    bench.provider.script(answer.hang());
    const leaving = new AbortController();
    const pieces = readTextPieces(await postAgent(bench.relay.url, runInput(), { signal: leaving.signal }));
    let seen = "";
    while (!seen.includes(": keep-alive\n\n")) seen += (await pieces.next()).value;
    expect(seen).toMatch(/^data: \{"type":"RUN_STARTED"/);
    leaving.abort();
  });
});

describeBoth("many runs at once", (bench) => {
  test("each get their own answer, over connections that are used again", async () => {
    bench.provider.script((request) =>
      answer.text((request.body as { messages: { content: string }[] }).messages[0]?.content ?? ""),
    );
    const answers = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const events = await bench.run({ messages: [{ id: "1", role: "user", content: `question ${index}` }] });
        return events.find(({ type }) => type === "TEXT_MESSAGE_CONTENT")?.delta;
      }),
    );
    expect(answers).toEqual(Array.from({ length: 100 }, (_, index) => `question ${index}`));
  });
});

describeBoth("a provider that ends its answer a little after the last event", (bench) => {
  test("is waited for, so that the next run can use its connection again", async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    bench.provider.script(answer.bytes([frame("a"), "data: [DONE]\n\n", goOn]));
    expect((await bench.run()).at(-1)?.type).toBe("RUN_FINISHED");
    const request = await bench.provider.chatRequest();
    await delay(30);
    resolve();
    await request.closed;
    expect(request.aborted).toBe(false);
  });
});
