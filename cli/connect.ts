import type { KnowledgeClient } from "@agent-backends/client";
import { ProblemError } from "@agent-backends/client";
import { services } from "@agent-backends/contract/services";
import type { ClientName, Context } from "./command.ts";
import { CommandError, UsageError } from "./command.ts";
import { findSimilar } from "./similar.ts";

/** The variable that holds each service's address. */
export const addressVariables: Readonly<Record<ClientName, string>> = {
  knowledge: "AGENTS_KNOWLEDGE_URL",
  listing: "AGENTS_LISTING_URL",
  relay: "AGENTS_RELAY_URL",
};

export const keyVariable = "AGENTS_KEY";

/** Address of a service and the headers to send: from the options, else the variables, else the defaults of `npm start`. */
export function connect(
  service: ClientName,
  options: { url?: string | undefined; key?: string | undefined },
  environment: Context["environment"],
): { baseUrl: string; headers: Record<string, string> } {
  const variable = addressVariables[service];
  const given = options.url ?? environment[variable]?.trim();
  const baseUrl = (given || localAddress(service, environment)).replace(/\/+$/, "");
  if (!/^https?:\/\//i.test(baseUrl) || !URL.canParse(baseUrl)) {
    if (!given) {
      const { startPort, startPortVariable } = services[service];
      const port = environment[startPortVariable]?.trim();
      throw new UsageError(`${startPortVariable} is "${port}"; use a port from 1 to 65535, such as ${startPort}.`);
    }
    const name = options.url === undefined ? variable : "--url";
    throw new UsageError(`${name} is "${given}"; use an http or https address, such as ${localAddress(service, {})}.`);
  }
  const key = options.key ?? environment[keyVariable]?.trim();
  if (key && !/^[\x21-\x7e]+$/.test(key)) {
    const name = options.key === undefined ? keyVariable : "--key";
    throw new UsageError(`${name} must be the key alone: visible ASCII characters without spaces or line breaks.`);
  }
  return { baseUrl, headers: key ? { Authorization: `Bearer ${key}` } : {} };
}

/** Address of a service that `npm start` runs on this machine. */
function localAddress(service: ClientName, environment: Context["environment"]): string {
  const { startPort, startPortVariable } = services[service];
  const host = environment.HOST?.trim() ?? "";
  const isEverywhere = ["", "0.0.0.0", "::"].includes(host);
  return `http://${isEverywhere ? "127.0.0.1" : host}:${environment[startPortVariable]?.trim() || startPort}`;
}

/** Many uploads in a row exceed the key's rate limit. The service then says how long to wait. */
export const uploadRetry = { maxAttempts: 10, maxRetryAfterMs: 120_000 };

/**
 * Checks the namespaces of an empty result: a misspelt namespace looks like an empty one. Skips the check for a key that may only ask.
 *
 * @throws CommandError if one of them has no documents
 */
export async function requireNamespaces(
  client: KnowledgeClient,
  wanted: readonly string[] = ["default"],
  signal: AbortSignal,
): Promise<void> {
  const known: string[] = [];
  try {
    for await (const { namespace } of client.namespaces({ limit: 1_000 }, { signal })) known.push(namespace);
  } catch (error) {
    if (error instanceof ProblemError && error.status === 403) return;
    throw error;
  }
  const missing = wanted.filter((name) => !known.includes(name));
  if (missing.length === 0) return;
  const similar = missing.flatMap((name) => findSimilar(name, known) ?? []).map((name) => JSON.stringify(name));
  throw new CommandError(
    `There are no documents in the namespace ${missing.map((name) => JSON.stringify(name)).join(" or ")}${similar.length > 0 ? `; did you mean ${similar.join(" and ")}?` : "."} List them: agents documents namespaces`,
  );
}
