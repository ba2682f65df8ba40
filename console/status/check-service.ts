import type { Connection, ServiceName } from "../connections/connections.ts";
import { keyHeadersOf, streamingPaths } from "../connections/connections.ts";
import { requestJson } from "../stream/request-json.ts";
import { ServiceError } from "../stream/service-error.ts";

/** What a service answered about itself. */
export interface ServiceCheck {
  state: "ready" | "not-ready" | "blocked" | "down";
  /** Why it is not ready, or can't be reached. */
  reason?: string;
  /** How long `/health` took, in milliseconds. */
  latencyMs?: number;
  /** What `/health`, and for Listing `/`, say besides. */
  facts: Record<string, unknown>;
  /** Whether the streaming route refuses a request without a key; absent where that could not be told. */
  asksForKey?: boolean;
}

const timeoutMs = 5_000;

/** Asks a service by its public routes whether it lives, whether it can work, and whom it lets in. */
export async function checkService(name: ServiceName, connection: Connection): Promise<ServiceCheck> {
  const ask = <Answer>(path: string) =>
    requestJson<Answer>(connection.baseUrl + path, {
      headers: keyHeadersOf(connection),
      signal: AbortSignal.timeout(timeoutMs),
    });
  const startedAt = performance.now();
  let facts: Record<string, unknown>;
  try {
    facts = await ask<Record<string, unknown>>("/health");
  } catch (error) {
    return (await answersWithoutReading(connection.baseUrl))
      ? {
          state: "blocked",
          reason: `The service answers, but does not permit requests from ${location.origin}.`,
          facts: {},
        }
      : { state: "down", reason: messageOf(error), facts: {} };
  }
  const latencyMs = performance.now() - startedAt;
  const asksForKey = await asksForAKey(connection.baseUrl + streamingPaths[name]);
  const known = { latencyMs, facts, ...(asksForKey !== undefined && { asksForKey }) };
  try {
    await ask("/ready");
    if (name === "listing") Object.assign(facts, await ask<object>("/").catch(() => ({})));
    return { state: "ready", ...known };
  } catch (error) {
    return { state: "not-ready", reason: messageOf(error), ...known };
  }
}

/** A request whose answer the page may not read still tells that something answers. */
function answersWithoutReading(baseUrl: string): Promise<boolean> {
  return fetch(`${baseUrl}/health`, { mode: "no-cors", signal: AbortSignal.timeout(timeoutMs) }).then(
    () => true,
    () => false,
  );
}

/** Sends a request that no agent answers, without a key: it is refused for its key first, or for what it lacks. */
async function asksForAKey(url: string): Promise<boolean | undefined> {
  const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  const status = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) }).then(
    (response) => response.status,
    () => undefined,
  );
  if (status === 401 || status === 403) return true;
  return status === 400 || status === 422 ? false : undefined;
}

const messageOf = (error: unknown): string => {
  if (error instanceof ServiceError) return error.message;
  return error instanceof DOMException && error.name === "TimeoutError"
    ? `There was no answer within ${timeoutMs / 1_000} s.`
    : String(error);
};
