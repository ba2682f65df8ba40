import { ProblemError, problems } from "@agent-backends/contract";

/** The problem for what fastify or a plugin of it threw, by their own codes first, then by the status they chose; else `problemOf` says. */
export function problemOfFastify(error: unknown, problemOf: (error: unknown) => ProblemError): ProblemError {
  if (error instanceof ProblemError) return error;
  const { code, statusCode = 500 } = error as { code?: string; statusCode?: number };
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return problems.jsonRequired(error);
  if (statusCode >= 400 && statusCode < 500) return problems.unreadable(error, statusCode);
  return problemOf(error);
}
