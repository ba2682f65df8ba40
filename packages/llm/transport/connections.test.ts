import type { Server, Socket } from "node:net";
import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { ProviderError } from "../errors/provider-error.ts";
import { Provider } from "../provider.ts";
import type { ProviderStream } from "./provider-stream.ts";

const head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n";
const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
const last = "0\r\n\r\n";

/** A server of raw bytes: `serve` gets each request, with its number on its connection. */
async function startServer(serve: (socket: Socket, nth: number) => void) {
  let connections = 0;
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    let requests = 0;
    socket.on("error", () => undefined);
    socket.on("data", (bytes) => {
      if (bytes.includes("POST ")) serve(socket, requests++);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as { port: number };
  return { baseUrl: `http://127.0.0.1:${port}/v1`, connections: () => connections };
}

function createClient(baseUrl: string, timeouts: Partial<{ connectTimeoutMs: number; idleTimeoutMs: number }> = {}) {
  const client = new Provider({
    baseUrl,
    apiKey: "key",
    connectTimeoutMs: 1_000,
    firstTokenTimeoutMs: 2_000,
    idleTimeoutMs: 2_000,
    retryOn: "busy",
    ...timeouts,
  });
  onTestFinished(() => client.close());
  return client;
}

function ask(client: Provider, onBytes: (stream: ProviderStream, text: string) => void = () => undefined) {
  return new Promise<{ text: string; error?: ProviderError }>((resolve) => {
    let text = "";
    const stream = client.openCompletion(
      { body: "{}" },
      {
        onBytes: (bytes, start, end) => {
          text += bytes.toString("latin1", start, end);
        },
        onReadEnd: () => onBytes(stream, text),
        onEnd: () => resolve({ text }),
        onFailure: (error) => resolve({ text, error }),
      },
    );
  });
}

test("successive requests reuse one connection", async () => {
  const server = await startServer((socket) => socket.write(head + chunk("a") + last));
  const client = createClient(server.baseUrl);
  for (let n = 0; n < 5; n += 1) expect(await ask(client)).toEqual({ text: "a" });
  expect(server.connections()).toBe(1);
});

test("a kept connection that the server closes under a request is replaced once", async () => {
  const server = await startServer((socket, nth) => {
    if (nth === 0) socket.write(head + chunk("a") + last);
    else socket.destroy();
  });
  const client = createClient(server.baseUrl);
  for (let n = 0; n < 3; n += 1) expect(await ask(client)).toEqual({ text: "a" });
});

test("a new connection that is closed without an answer is a failure", async () => {
  const server = await startServer((socket) => socket.destroy());
  expect((await ask(createClient(server.baseUrl))).error?.kind).toBe("unreachable");
  expect(server.connections()).toBe(1);
});

test("a connection is not reused after surplus bytes", async () => {
  const server = await startServer((socket) => socket.write(`${head + chunk("a") + last}HTTP/1.1 200 OK\r\n`));
  const client = createClient(server.baseUrl);
  await ask(client);
  await ask(client);
  expect(server.connections()).toBe(2);
});

test("a stream that was paused at its end leaves a connection that can be read", async () => {
  const server = await startServer((socket) => socket.write(head + chunk("a") + last));
  const client = createClient(server.baseUrl);
  for (let n = 0; n < 3; n += 1) expect(await ask(client, (stream) => stream.pause())).toEqual({ text: "a" });
});

test("a paused stream does not time out, and continues when it is resumed", async () => {
  const server = await startServer((socket) => {
    socket.write(head + chunk("a"));
    setTimeout(() => socket.write(chunk("b") + last), 20);
  });
  const client = createClient(server.baseUrl, { idleTimeoutMs: 80 });
  const answered = ask(client, (stream, text) => {
    if (text !== "a") return;
    stream.pause();
    setTimeout(() => stream.resume(), 300);
  });
  expect(await answered).toEqual({ text: "ab" });
});

test.each([
  ["a body that ends with the connection", "HTTP/1.1 200 OK\r\n\r\nabc", { text: "abc" }],
  ["a cut chunk", `${head}5\r\nab`, { error: { kind: "cut" } }],
  ["no HTTP", "SSH-2.0-OpenSSH_9.6\r\n\r\n", { error: { kind: "invalid" } }],
  ["broken chunks", `${head}zz\r\n`, { error: { kind: "invalid" } }],
  ["a cut head", "HTTP/1.1 200 OK\r\nConte", { error: { kind: "unreachable" } }],
])("%s ends a stream as it should", async (_what, bytes, expected) => {
  const server = await startServer((socket) => socket.end(bytes));
  expect(await ask(createClient(server.baseUrl))).toMatchObject(expected);
});

test("a server that does not speak TLS is unreachable", async () => {
  const server = await startServer((socket) => socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
  const { error } = await ask(createClient(server.baseUrl.replace("http:", "https:"), { connectTimeoutMs: 200 }));
  expect(error?.kind).toMatch(/unreachable|timed_out/);
});

test("a key that can't be sent in a header is rejected at once", () => {
  expect(() => new Provider({ baseUrl: "http://127.0.0.1:9/v1", apiKey: "a\r\nX: y" })).toThrow(/visible ASCII/);
});
