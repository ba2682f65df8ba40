import {
  ConnectionError,
  KnowledgeClient,
  ListingClient,
  ProblemError,
  RelayClient,
  TruncatedStreamError,
} from "@agent-backends/client";
import type { Connection } from "./connections.ts";
import { buildKeyHeaders } from "./connections.ts";

/** No automatic retries: the user sees each failure at once and decides what to send again. */
const retry = { maxAttempts: 1 };

const toOptions = (connection: Connection) => ({
  baseUrl: connection.baseUrl,
  headers: buildKeyHeaders(connection),
  retry,
});

export const knowledgeAt = (connection: Connection) => new KnowledgeClient(toOptions(connection));
export const listingAt = (connection: Connection) => new ListingClient(toOptions(connection));
export const relayAt = (connection: Connection) => new RelayClient(toOptions(connection));

/** Replaces the services' own advice on keys, which names headers and is meant for programs. */
function describeProblem({ status, message }: ProblemError): string {
  if (status !== 401) return message;
  return message.startsWith("Send a key,")
    ? "This service asks for a key. Enter one in Status, under “Change”."
    : `${message.replace("; check the one you send.", ".")} Check it in Status, under “Change”.`;
}

/** Maximum number of invalid fields that an error message names. */
const maxNamedFields = 3;

/** The error of a failed call, with a message for the user of this page. */
export function explainError(error: unknown): Error {
  if (error instanceof ConnectionError) {
    return new Error(
      `${navigator.onLine ? "" : "This device is offline. "}Nothing answers at ${error.origin}. Check that the service runs, that the address in Status is right, and that the service permits requests from this page.`,
    );
  }
  if (error instanceof TruncatedStreamError) {
    return new Error("The stream ended before the answer was complete. What has arrived is shown; try again.");
  }
  if (error instanceof ProblemError) {
    const fields = error.errors
      .filter(({ detail }) => !error.message.includes(detail))
      .slice(0, maxNamedFields)
      .map(({ pointer, detail }) => `${pointer} ${detail}`);
    return new Error([describeProblem(error), ...fields].join("\n"));
  }
  return error instanceof Error ? error : new Error(String(error));
}
