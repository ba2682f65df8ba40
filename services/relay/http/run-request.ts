import type { IncomingMessage } from "node:http";
import type { RelayProfile, RunInput } from "@agent-backends/contract";
import { problems, relayProfiles, runInputSchema } from "@agent-backends/contract";
import { parseInput, receiveJson, requireCountedValues } from "@agent-backends/kit";

/** A request, whose body a parser of the host application may have read already. */
export type ParsedRequest = IncomingMessage & { body?: unknown };

/**
 * Reads the run input from a request.
 *
 * @throws ProblemError `unsupported-media-type`, `too-large`, `not-json`, or `invalid-input` naming every offending field
 */
export async function readRunInput(request: ParsedRequest): Promise<RunInput> {
  return parseInput(runInputSchema, await takeBody(request));
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
 * @throws ProblemError `invalid-input` when the profile is unknown or given more than once
 */
export function getProfile({ url = "" }: IncomingMessage): RelayProfile | undefined {
  const query = url.indexOf("?");
  if (query === -1) return undefined;
  const values = new URLSearchParams(url.slice(query)).getAll("profile");
  const [value] = values;
  if (value === undefined) return undefined;
  const profile = relayProfiles.find((name) => name === value);
  if (profile !== undefined && values.length === 1) return profile;
  const names = `${relayProfiles.slice(0, -1).join(", ")} or ${relayProfiles.at(-1)}`;
  const detail = values.length > 1 ? `must be given once: ${names}` : `must be ${names}`;
  throw problems.invalidProfile(detail);
}
