// The load, on a core of its own: raw sockets, so that it costs little beside the server.
//   node bench/listing/client.ts requests <port> <connections> <seconds>
//   node bench/listing/client.ts streams <port> <path> <streams> <tokens> <gap ms>      with the provider in the same process
import { connect } from "node:net";
import { startPacedProvider } from "./provider.ts";

const host = "127.0.0.1";

/** Requests answered in a time by connections that each wait for their answer before they ask again. */
async function measureRequests(port: number, connections: number, seconds: number): Promise<{ perSecond: number }> {
  const body = '{"limit":5}';
  const request = Buffer.from(
    `POST /tools/top HTTP/1.1\r\nHost: ${host}:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  let answered = 0;
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(port, host);
      const until = performance.now() + seconds * 1_000;
      // All answers are equal, so the length of the first one tells where each of them ends.
      let length = 0;
      let received = 0;
      socket.setNoDelay(true);
      socket.on("error", reject);
      socket.on("close", () => resolve());
      socket.on("connect", () => socket.write(request));
      socket.on("data", (bytes: Buffer) => {
        if (length === 0) length = lengthOf(bytes);
        received += bytes.length;
        if (received < length) return;
        if (received > length) return reject(new Error("An answer was longer than the first one"));
        received = 0;
        answered++;
        if (performance.now() < until) socket.write(request);
        else socket.end();
      });
    });
  const begun = performance.now();
  await Promise.all(Array.from({ length: connections }, ask));
  return { perSecond: (answered / (performance.now() - begun)) * 1_000 };
}

function lengthOf(bytes: Buffer): number {
  const text = bytes.toString("latin1");
  const head = text.indexOf("\r\n\r\n") + 4;
  const body = /content-length: (\d+)/i.exec(text)?.[1];
  if (!text.startsWith("HTTP/1.1 200") || head < 4 || body === undefined) throw new Error(`No answer: ${text}`);
  return head + Number(body);
}

/** The time from the provider's writing of each word to its arrival, in milliseconds. */
async function measureStreams(options: {
  port: number;
  path: string;
  streams: number;
  tokens: number;
  gapMs: number;
}): Promise<{ p50: number; p99: number; words: number }> {
  const { port, path, streams, tokens, gapMs } = options;
  const provider = await startPacedProvider({ port: Number(process.env.PROVIDER_PORT), tokens, gapMs });
  const delays: number[] = [];
  const body = JSON.stringify({ messages: [{ role: "user", content: "Show me the top products" }], stream: true });
  const target = port === 0 ? provider.port : port;
  const request = `POST ${path} HTTP/1.1\r\nHost: ${host}:${target}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
  const read = (index: number) =>
    new Promise<void>((resolve, reject) => {
      setTimeout(
        () => {
          const socket = connect(target, host, () => socket.write(request));
          let rest = "";
          socket.setEncoding("utf8");
          socket.on("error", reject);
          socket.on("close", () => resolve());
          socket.on("data", (text: string) => {
            const now = performance.now();
            rest += text;
            for (const [, sent] of rest.matchAll(/"content":"t(\d+) "/g)) delays.push(now - Number(sent) / 1_000);
            // The service keeps the connection for another request.
            if (rest.includes("[DONE]")) socket.end();
            rest = rest.slice(rest.lastIndexOf("\n") + 1);
          });
        },
        (index / streams) * gapMs * 25,
      );
    });
  await Promise.all(Array.from({ length: streams }, (_, index) => read(index)));
  await provider.close();
  if (delays.length !== streams * tokens) throw new Error(`${delays.length} of ${streams * tokens} words came`);
  delays.sort((one, other) => one - other);
  const at = (share: number) => delays[Math.floor(share * (delays.length - 1))] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), words: delays.length };
}

const [what, ...rest] = process.argv.slice(2);
const [port = 0, second = "0", third = 0, fourth = 0, fifth = 0] = [
  Number(rest[0]),
  rest[1],
  Number(rest[2]),
  Number(rest[3]),
  Number(rest[4]),
];
const result =
  what === "requests"
    ? await measureRequests(port, Number(second), third)
    : await measureStreams({ port, path: second, streams: third, tokens: fourth, gapMs: fifth });
process.stdout.write(JSON.stringify(result));
