// The load, on its own core. Uses raw sockets, so that it costs little compared to the server.
//   node bench/listing/client.ts <port> <connections> <seconds>
import { connect } from "node:net";

const host = "127.0.0.1";

/** Number of requests per second, sent over connections that wait for each response before the next request. */
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
      // All responses are equal, so the length of the first one shows where each of them ends.
      let length = 0;
      let received = 0;
      socket.setNoDelay(true);
      socket.on("error", reject);
      socket.on("close", () => resolve());
      socket.on("connect", () => socket.write(request));
      socket.on("data", (bytes: Buffer) => {
        if (length === 0) length = parseContentLength(bytes);
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

function parseContentLength(bytes: Buffer): number {
  const text = bytes.toString("latin1");
  const head = text.indexOf("\r\n\r\n") + 4;
  const body = /content-length: (\d+)/i.exec(text)?.[1];
  if (!text.startsWith("HTTP/1.1 200") || head < 4 || body === undefined) throw new Error(`No answer: ${text}`);
  return head + Number(body);
}

const [port, connections, seconds] = process.argv.slice(2).map(Number);
const result = await measureRequests(port ?? 0, connections ?? 1, seconds ?? 1);
process.stdout.write(JSON.stringify(result));
