import { randomUUID } from "node:crypto";

/** Names the request in its answer. */
export const requestIdHeader = "x-request-id";

const saneId = /^[\w.-]{1,64}$/;

/** The id that a client gave its request, where it is short and plain enough for a log and a header; else a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === "string" && saneId.test(given) ? given : randomUUID();
}
