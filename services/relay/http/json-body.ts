import { problems } from "@agent-backends/contract";
import { receiveJson, requireCountedValues } from "@agent-backends/kit";
import type { Request } from "express";

/**
 * A request's JSON body, as the request's stream gives it or as a parser of the application that the relay is mounted into left it.
 * It is taken out of the request, which lives as long as its stream: a conversation may be long.
 *
 * @throws ProblemError `unsupported-media-type`, `too-large` or `not-json`
 */
export async function takeBody(request: Request): Promise<unknown> {
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
