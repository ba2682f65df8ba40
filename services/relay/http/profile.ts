import type { IncomingMessage } from "node:http";
import type { RelayProfile } from "@agent-backends/contract";
import { problems, relayProfiles } from "@agent-backends/contract";

/**
 * The profile that a request's address asks for, as in `/agent?profile=ag-ui-0`, or undefined where it names none. It is
 * read from the address itself: a host application may parse query strings in any way, or not at all.
 *
 * @throws ProblemError `invalid-input` when it is none of the profiles, or not the only one
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
