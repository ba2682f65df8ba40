import { randomUUID } from "node:crypto";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import type { ProblemError } from "@agent-backends/contract";
import { limits, problems } from "@agent-backends/contract";
import type { Logger } from "./logger.ts";
import { endLingering } from "./problem.ts";

/** Methods of the services' routes. */
const methods = ["GET", "HEAD", "POST", "PATCH", "DELETE"];

/**
 * Responds to requests that Node.js's parser refuses before any framework sees them, with problem details and a log line: heads over the
 * limit, requests that arrive too slowly, bytes that aren't HTTP, and CONNECT.
 *
 * @param corsOrigins origins of pages that may read the response. Undefined: any
 */
export function answerUnreadable(server: Server, logger: Logger, corsOrigins?: readonly string[]): void {
  // Node.js reads this property for each connection: https://github.com/nodejs/node/blob/v24.x/lib/_http_server.js
  (server as Server & { maxHeaderSize?: number }).maxHeaderSize = limits.headBytes;
  // Node.js responds to expectations other than 100-continue with an empty 417. Ignoring them is also allowed (RFC 9110, 10.1.1).
  server.on("checkExpectation", (request: IncomingMessage, response: ServerResponse) => {
    server.emit("request", request, response);
  });
  // By default Node.js sends 100 Continue for every request. A client whose request is refused by its head should not have to send the
  // body.
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    const read = request._read;
    request._read = (size) => {
      request._read = read;
      if (!response.headersSent) response.writeContinue();
      read.call(request, size);
    };
    server.emit("request", request, response);
  });
  const answered = new WeakSet<Duplex>();
  // A framework's own listener would write a second response.
  server.removeAllListeners("clientError");
  server.on("clientError", (error: ParserError, socket: Duplex & { _httpMessage?: ServerResponse }) => {
    if (answered.has(socket) || (socket._httpMessage && endLingering(socket._httpMessage))) return;
    // In the middle of a response, the client would read a problem as part of its body.
    if (!socket.writable || error.code === "ECONNRESET" || socket._httpMessage?.headersSent) {
      socket.destroy();
      return;
    }
    answered.add(socket);
    refuse(socket, toProblem(error), findOrigin(error, corsOrigins), error.code);
  });
  // Node.js's parser reports no error in the body of a request that asks for an upgrade. Such a request never becomes complete, so it is
  // refused when its client has sent everything. This listener runs before Node.js's own, which closes the connection.
  server.on("connection", (socket: Socket & { _httpMessage?: ServerResponse }) => {
    socket.prependOnceListener("end", () => {
      const answering = socket._httpMessage;
      if (answering?.req.complete !== false) return;
      const error = Object.assign(new Error("The request ends too early."), { code: "HPE_INVALID_EOF_STATE" });
      server.emit("clientError", error, socket);
    });
  });
  // Without a listener Node.js closes the connection of a CONNECT request without a response.
  server.on("connect", ({ headers }: IncomingMessage, socket: Duplex) => {
    answered.add(socket);
    socket.on("error", () => socket.destroy());
    const origin = corsOrigins === undefined ? "*" : corsOrigins.find((one) => one === headers.origin);
    refuse(socket, problems.methodNotAllowed("CONNECT", methods), origin, "CONNECT");
  });

  function refuse(socket: Duplex, problem: ProblemError, allowedOrigin: string | undefined, failure = ""): void {
    const id = randomUUID();
    logger.info({ request_id: id, status: problem.status, failure }, "a request could not be read");
    socket.end(formatAnswer(problem, id, allowedOrigin));
    // Read what the client still sends: closing a connection with unread bytes resets it, and the response is lost.
    socket.resume();
    setTimeout(() => socket.destroy(), limits.refusedBodyMs).unref();
  }
}

/** Carries the bytes at which the parser stopped. */
type ParserError = NodeJS.ErrnoException & { rawPacket?: Buffer };

/** The origin to allow: any, or the one of `origins` that the unparsed request names. */
function findOrigin({ rawPacket }: ParserError, origins: readonly string[] | undefined): string | undefined {
  if (origins === undefined) return "*";
  const [, origin = ""] = /\r\norigin:[ \t]*([^\s]+)/i.exec(rawPacket?.toString("latin1") ?? "") ?? [];
  return origins.find((one) => one === origin);
}

function toProblem({ code }: NodeJS.ErrnoException): ProblemError {
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

function formatAnswer(problem: ProblemError, requestId: string, allowedOrigin: string | undefined): string {
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
