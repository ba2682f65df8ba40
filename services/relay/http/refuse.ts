import type { ServerResponse } from "node:http";
import { ProblemError, problems } from "@agent-backends/contract";
import type { Logger } from "@agent-backends/kit";
import { problemFrom, recordOf, writeProblem } from "@agent-backends/kit";

/** The problem for an address that does not exist, or can't even be read. */
export function noSuchAddress({ method, path }: { method: string; path: string }): ProblemError {
  try {
    decodeURIComponent(path);
    return problems.noRoute(method);
  } catch (cause) {
    return problems.unreadable(cause);
  }
}

/**
 * Answers a request that failed. Where the answer has begun already, all that is left is to close it. Errors that are no
 * fault of the client's are logged.
 */
export function refuse(response: ServerResponse, error: unknown, logger: Logger): void {
  const problem = frameworkProblem(error, response.req.method) ?? problemFrom(error);
  const requestId = recordOf(response.req)?.id;
  if (response.headersSent) {
    logger.error({ err: error, request_id: requestId }, "a stream failed; it is closed");
    response.destroy();
    return;
  }
  if (problem.status >= 500) logger.error({ err: error, request_id: requestId }, "a request failed");
  writeProblem(response, problem);
}

/** Errors that the frameworks raise themselves carry a status. Their text is not for clients: it may hold paths. */
function frameworkProblem(error: unknown, method = ""): ProblemError | undefined {
  if (error instanceof ProblemError) return undefined;
  const { status } = error as { status?: unknown };
  if (typeof status !== "number" || status < 400 || status >= 500) return undefined;
  return status === 404 ? problems.noRoute(method) : problems.unreadable(error);
}
