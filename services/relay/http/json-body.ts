import { limits } from "@agent-backends/contract";
import { ProblemError } from "@agent-backends/kit";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import express from "express";

const parse = express.json({
  limit: limits.bodyBytes,
  strict: false,
  // An empty body would be parsed as an empty object.
  verify(_request, _response, bytes) {
    if (bytes.length === 0) throw new Error("empty");
  },
});

/** Parses a request's JSON body. A body that another middleware has parsed already is left as it is. */
export const jsonBody: RequestHandler = (request: Request, response: Response, next: NextFunction) => {
  if (request.body !== undefined) return next();
  if (isPlain(request)) return readPlain(request, next);
  if (!request.is("application/json") && hasBody(request)) {
    return next(
      new ProblemError("unsupported-media-type", "Send the body as application/json and say so in Content-Type."),
    );
  }
  parse(request, response, (error?: unknown) => {
    if (error) return next(problemOfBody(error));
    if (request.body === undefined) return next(new ProblemError("not-json", "The body is empty; send a JSON object."));
    next();
  });
};

/**
 * The same as a promise.
 *
 * @throws ProblemError when there is no JSON body
 */
export function readJsonBody(request: Request, response: Response): Promise<void> {
  return new Promise((resolve, reject) => {
    jsonBody(request, response, (error?: unknown) => (error ? reject(error) : resolve()));
  });
}

/** Takes the parsed body out of a request, which lives as long as its stream: a conversation may be long. */
export function takeBody(request: Request): unknown {
  const { body } = request;
  request.body = undefined;
  return body;
}

// Nearly every body is plain JSON of a known length, which needs none of what a general parser does.
function isPlain({ headers, readableFlowing }: Request): boolean {
  const length = Number(headers["content-length"] ?? 0);
  return (
    readableFlowing === null &&
    length > 0 &&
    length <= limits.bodyBytes &&
    headers["content-encoding"] === undefined &&
    /^application\/json(; ?charset=utf-8)?$/i.test(headers["content-type"] ?? "")
  );
}

function readPlain(request: Request, next: NextFunction): void {
  const chunks: Buffer[] = [];
  request.on("data", (chunk: Buffer) => chunks.push(chunk));
  request.once("error", () => next(problemOfBody({ status: 400 })));
  request.once("end", () => {
    const [first] = chunks;
    const bytes = chunks.length === 1 && first ? first : Buffer.concat(chunks);
    chunks.length = 0;
    try {
      request.body = JSON.parse(bytes.toString("utf8"));
    } catch {
      next(problemOfBody({ type: "entity.parse.failed" }));
      return;
    }
    next();
  });
}

function hasBody({ headers }: Request): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

// The kinds of errors of body-parser: https://github.com/expressjs/body-parser#errors
function problemOfBody(error: unknown): unknown {
  const { type, status } = error as { type?: string; status?: number };
  if (status === 413) {
    return new ProblemError("too-large", `The body is over this service's limit of ${limits.bodyBytes} bytes.`);
  }
  if (status === 415) {
    return new ProblemError("unsupported-media-type", "Send the body as JSON in UTF-8, not compressed.");
  }
  if (type === "entity.verify.failed") return new ProblemError("not-json", "The body is empty; send a JSON object.");
  if (type === "entity.parse.failed") {
    return new ProblemError("not-json", "The body is not JSON; send a JSON object in UTF-8.");
  }
  if (status === 400) return new ProblemError("bad-request", "The body could not be read; send it again, whole.");
  return error;
}
