import type { IncomingMessage } from "node:http";
import type { RelayProfile } from "@agent-backends/contract";
import { problems, relayQuerySchema, runInputSchema } from "@agent-backends/contract";
import { parseInput, receiveJson, requireCountedValues } from "@agent-backends/kit";
import { parseRunInput } from "@agent-backends/kit/ag-ui";
import type { Relay } from "../core/relay.ts";

/** A request whose body may already have been read by a parser of the host application. */
export type ParsedRequest = IncomingMessage & { body?: unknown };

/**
 * Reads the run input from a request.
 *
 * @throws ProblemError `unsupported-media-type`, `too-large`, `not-json`, or `invalid-input` naming every offending field
 */
export async function readRunRequest(request: ParsedRequest, relay: Relay) {
  const body = await takeBody(request);
  return parseRunInput(body, { asked: getProfile(request) ?? relay.fixedProfile, query: relayQuerySchema });
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
 * The profile in a request's URL, such as `/agent?profile=ag-ui-0`. It is read from the URL itself, because host applications parse query
 * strings in different ways, or not at all.
 *
 * @throws ProblemError `invalid-input` if the profile is unknown, given more than once or misspelt
 */
function getProfile({ url = "" }: IncomingMessage): RelayProfile | undefined {
  const start = url.indexOf("?");
  if (start === -1) return undefined;
  const parameters = new URLSearchParams(url.slice(start));
  const query: Record<string, unknown> = Object.fromEntries(parameters);
  const profiles = parameters.getAll("profile");
  if (profiles.length > 1) query.profile = profiles;
  return parseInput(relayQuerySchema, query, { otherPlace: { name: "body", schema: runInputSchema } }).profile;
}
