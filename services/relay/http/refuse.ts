import type { ServerResponse } from "node:http";
import { ProblemError, problems } from "@agent-backends/contract";
import type { Logger } from "@agent-backends/kit";
import { getRecord, isFailure, toProblem, toRouteProblem, writeProblem } from "@agent-backends/kit";

/** The problem for a URL that doesn't exist, or can't be decoded. */
export function toAddressProblem({ method, path }: { method: string; path: string }): ProblemError {
  try {
    decodeURIComponent(path);
    return toRouteProblem(method, path);
  } catch (cause) {
    return problems.unreadable(cause);
  }
}

/**
 * Responds to a failed request with a problem. If the response has already begun, closes the connection instead. Logs errors that aren't
 * the client's fault.
 */
export function refuse(response: ServerResponse, error: unknown, logger: Logger): void {
  const problem = frameworkProblem(error, response.req.method) ?? toProblem(error);
  const requestId = getRecord(response.req)?.id;
  if (response.headersSent) {
    logger.error({ err: error, request_id: requestId }, "a stream failed; it is closed");
    response.destroy();
    return;
  }
  if (isFailure(problem)) logger.error({ err: error, request_id: requestId }, "a request failed");
  writeProblem(response, problem);
}

/** Errors thrown by the frameworks have a status. Their message must not reach clients: it may contain paths. */
function frameworkProblem(error: unknown, method = ""): ProblemError | undefined {
  if (error instanceof ProblemError) return undefined;
  const { status } = error as { status?: unknown };
  if (typeof status !== "number" || status < 400 || status >= 500) return undefined;
  return status === 404 ? problems.noRoute(method) : problems.unreadable(error);
}
