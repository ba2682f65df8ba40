import type { ServiceName } from "@agent-backends/testing";
import { wellMadeRequests } from "../faults/well-made-requests.ts";
import type { HostileBody, Sizes } from "./hostile-bodies.ts";
import { hostileForms, hostileParts, hostileWholes } from "./hostile-bodies.ts";

/** A request that tries to block a service. */
export interface HostileRequest extends HostileBody {
  method: string;
  path: string;
}

/** Every hostile body for each route that takes a body, always in the same order. */
export function* hostileRequests(service: ServiceName, sizes: Sizes): Generator<HostileRequest, void, undefined> {
  for (const { method, path, body, hasForm } of wellMadeRequests[service]) {
    if (body === undefined) continue;
    const bodies = [hostileWholes(body), hostileParts(body, sizes), ...(hasForm ? [hostileForms(body, sizes)] : [])];
    for (const hostile of joined(bodies)) {
      // Without this header, MCP refuses a request before reading its body.
      const headers = { accept: "application/json, text/event-stream", ...hostile.headers };
      yield { ...hostile, method, path, headers };
    }
  }
}

function* joined<Item>(generators: readonly Generator<Item>[]): Generator<Item, void, undefined> {
  for (const generator of generators) yield* generator;
}

const zodText =
  /Too (?:big|small): expected|Invalid (?:input|option|discriminator)|Unrecognized key|invalid_(?:type|value|union)/;

/** Describes what is wrong with the response to a hostile request, or undefined. */
export async function findFault(response: Response): Promise<string | undefined> {
  const text = await response.text();
  // The MCP library answers messages that violate the protocol itself.
  if (zodText.test(text) && new URL(response.url).pathname !== "/mcp") return `a text of zod: ${text.slice(0, 300)}`;
  if (response.ok) return undefined;
  if (response.status >= 500) return `status ${response.status}: ${text.slice(0, 300)}`;
  const isProblem = /^application\/problem\+json/.test(response.headers.get("content-type") ?? "");
  const { detail, errors, error, namespace } = JSON.parse(text) as Record<string, unknown>;
  if (isProblem && typeof detail === "string" && text.length < maxProblemLength) {
    return response.status !== 413 || /\d/.test(detail) ? undefined : `a 413 that doesn't name its limit: ${detail}`;
  }
  // An ingest in which all items failed, or a JSON-RPC error.
  if (response.status === 400 && namespace !== undefined && Array.isArray(errors)) return undefined;
  if (error !== undefined && text.length < maxProblemLength) return undefined;
  return `status ${response.status} is no problem document: ${text.slice(0, 300)}`;
}

/** A problem lists at most 20 fields, each with a pointer and a sentence. */
const maxProblemLength = 20_000;
