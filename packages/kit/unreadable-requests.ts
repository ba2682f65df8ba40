import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import type { ProblemError } from "@agent-backends/contract";
import { limits, problems } from "@agent-backends/contract";
import type { Logger } from "./logger.ts";

/** A client that still sends gets this long to read why its request was refused, before the connection is closed. */
const lingerMs = 500;

/** Methods that the services' routes take. */
const methods = ["GET", "HEAD", "POST", "DELETE"];

/**
 * Answers what node's parser refuses, before any framework sees it, as problem details with a log line: heads over the limit,
 * requests that arrive too slowly and what is no HTTP.
 *
 * @param corsOrigins of pages that may read the answer; undefined: any
 */
export function answerUnreadable(server: Server, logger: Logger, corsOrigins?: readonly string[]): void {
  // It is read for each connection, as node's sources say: https://github.com/nodejs/node/blob/v24.x/lib/_http_server.js
  (server as Server & { maxHeaderSize?: number }).maxHeaderSize = limits.headBytes;
  // Node answers other expectations than 100-continue with an empty 417; who takes no notice of them is right too (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
  const answered = new WeakSet<Duplex>();
  // A framework's own listener would write a second answer.
  server.removeAllListeners("clientError");
  server.on("clientError", (error: ParserError, socket: Duplex & { _httpMessage?: ServerResponse }) => {
    if (answered.has(socket)) return;
    // A problem in the midst of an answer would be taken for a part of it.
    if (!socket.writable || error.code === "ECONNRESET" || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    answered.add(socket);
    refuse(socket, problemOfParser(error), originOf(error, corsOrigins), error.code);
  });
  // Without a listener node closes the connection of a CONNECT request without an answer.
  server.on("connect", ({ headers }: IncomingMessage, socket: Duplex) => {
    answered.add(socket);
    socket.on("error", () => socket.destroy());
    const origin = corsOrigins === undefined ? "*" : corsOrigins.find((one) => one === headers.origin);
    refuse(socket, problems.methodNotAllowed("CONNECT", methods), origin, "CONNECT");
  });

  function refuse(socket: Duplex, problem: ProblemError, allowedOrigin: string | undefined, failure = ""): void {
    const id = randomUUID();
    logger.info({ request_id: id, status: problem.status, failure }, "a request could not be read");
    socket.end(wholeAnswer(problem, id, allowedOrigin));
    // Reads what the client still sends: a connection closed with unread bytes is reset, and its answer lost.
    socket.resume();
    setTimeout(() => socket.destroy(), lingerMs).unref();
  }
}

/** With the bytes in which the parser stopped. */
type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** The origin to allow: any, or the one of `origins` that the unparsed request names. */
function originOf({ rawPacket }: ParserError, origins: readonly string[] | undefined): string | undefined {
  if (origins === undefined) return "*";
  const [, origin = ""] = /\r\norigin:[ \t]*([^\s]+)/i.exec(rawPacket?.toString("latin1") ?? "") ?? [];
  return origins.find((one) => one === origin);
}

function problemOfParser({ code }: NodeJS.ErrnoException): ProblemError {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return problems.headersTooLarge();
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return problems.chunkExtensionsTooLarge();
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return problems.requestTimeout();
    default:
      return problems.notHttp();
  }
}

function wholeAnswer(problem: ProblemError, requestId: string, allowedOrigin: string | undefined): string {
  const body = JSON.stringify(problem);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    "Content-Type: application/problem+json; charset=utf-8",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "Cache-Control: no-store",
    `X-Request-Id: ${requestId}`,
    ...Object.entries(problem.headers).map(([name, value]) => `${name}: ${value}`),
    ...(allowedOrigin === undefined
      ? []
      : [
          `Access-Control-Allow-Origin: ${allowedOrigin}`,
          "Access-Control-Expose-Headers: X-Request-Id",
          "Vary: Origin",
        ]),
    "Connection: close",
  ];
  return `${head.join("\r\n")}\r\n\r\n${body}`;
}
