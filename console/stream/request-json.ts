import { errorOfResponse, unreachable } from "./service-error.ts";

/**
 * Asks a service for JSON.
 *
 * @returns the answer's body; `undefined` where it has none. `accept` names further statuses whose body is wanted.
 * @throws ServiceError when the service refuses or can't be reached
 */
export async function requestJson<Answer>(
  url: string,
  init: RequestInit = {},
  accept: readonly number[] = [],
): Promise<Answer> {
  const response = await fetch(url, init).catch((error: unknown) => {
    init.signal?.throwIfAborted();
    throw error instanceof TypeError ? unreachable(url) : error;
  });
  if (!response.ok && !accept.includes(response.status)) throw await errorOfResponse(response);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

/** A request body of JSON, with its headers. */
export function jsonBody(body: object, headers: Record<string, string>): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) };
}
