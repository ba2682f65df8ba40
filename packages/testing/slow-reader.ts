import type { Socket } from "node:net";
import { connect } from "node:net";

/** A client that sends a request, but reads the response only when told to. */
export interface SlowReader {
  /** Reads until the connection ends. Resolves with the complete response, including headers. */
  readAll(): Promise<string>;
  /** Drops the connection. */
  leave(): void;
}

/** Sends a JSON request on a new connection and reads nothing. */
export function postWithoutReading(url: string, body: unknown): Promise<SlowReader> {
  const { hostname, port, pathname, host } = new URL(url);
  const json = JSON.stringify(body);
  const head = [
    `POST ${pathname} HTTP/1.1`,
    `Host: ${host}`,
    "Content-Type: application/json",
    `Content-Length: ${Buffer.byteLength(json)}`,
    "Connection: close",
  ];
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ host: hostname, port: Number(port) });
    socket.pause();
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.write(`${head.join("\r\n")}\r\n\r\n${json}`);
      resolve({ readAll: () => readAll(socket), leave: () => socket.destroy() });
    });
  });
}

function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.once("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
    socket.once("error", reject);
    socket.resume();
  });
}
