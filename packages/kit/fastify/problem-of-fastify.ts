import type { ProblemName } from "@agent-backends/contract";
import { ProblemError } from "../problem.ts";

const problemOfCode: Record<string, [ProblemName, string]> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: [
    "unsupported-media-type",
    "Send the body as application/json and say so in Content-Type.",
  ],
};

const problemOfStatus: Record<number, ProblemName> = {
  404: "not-found",
  406: "not-acceptable",
  413: "too-large",
  415: "unsupported-media-type",
};

/** The problem for what fastify or a plugin of it threw, by their own codes first, then by the status they chose; else `problemOf` says. */
export function problemOfFastify(error: unknown, problemOf: (error: unknown) => ProblemError): ProblemError {
  if (error instanceof ProblemError) return error;
  const { code = "", statusCode = 500 } = error as { code?: string; statusCode?: number };
  const known = problemOfCode[code];
  if (known) return new ProblemError(...known, { cause: error });
  if (statusCode >= 400 && statusCode < 500) {
    const detail = "The request could not be read; check its address, headers and body.";
    return new ProblemError(problemOfStatus[statusCode] ?? "bad-request", detail, { cause: error });
  }
  return problemOf(error);
}
