import type { IncomingMessage } from "node:http";
import type { RelayProfile, RunInput } from "@agent-backends/contract";
import { problems, relayQuerySchema, runInputSchema } from "@agent-backends/contract";
import { parseInput, receiveJson, requireCountedValues } from "@agent-backends/kit";

/** A request, whose body a parser of the host application may have read already. */
export type ParsedRequest = IncomingMessage & { body?: unknown };

/**
 * Reads the run input from a request.
 *
 * @throws ProblemError `unsupported-media-type`, `too-large`, `not-json`, or `invalid-input` naming every offending field
 */
export async function readRunInput(request: ParsedRequest): Promise<RunInput> {
  return parseInput(runInputSchema, await takeBody(request), {
    otherPlace: { name: "query", schema: relayQuerySchema },
  });
}

/** Removes the body from the request: the request lives as long as its stream, and a conversation may be long. */
async function takeBody(request: ParsedRequest): Promise<unknown> {
  const { body } = request;
  request.body = undefined;
  if (body !== undefined) {
    requireCountedValues(body);
    return body;
  }
  const received = await receiveJson(request);
  if (received === undefined) throw problems.emptyBody();
  return received;
}

/**
 * The profile in a request's address, such as `/agent?profile=ag-ui-0`. It is read from the address itself, because host
 * applications parse query strings in different ways, or not at all.
 *
 * @throws ProblemError `invalid-input` when the profile is unknown, given more than once or misspelt
 */
export function getProfile({ url = "" }: IncomingMessage): RelayProfile | undefined {
  const start = url.indexOf("?");
  if (start === -1) return undefined;
  const parameters = new URLSearchParams(url.slice(start));
  const query: Record<string, unknown> = Object.fromEntries(parameters);
  const profiles = parameters.getAll("profile");
  if (profiles.length > 1) query.profile = profiles;
  return parseInput(relayQuerySchema, query, { otherPlace: { name: "body", schema: runInputSchema } }).profile;
}
