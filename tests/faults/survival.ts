import type { ServiceProcess } from "@agent-backends/testing";
import { expect } from "vitest";

/** Maximum time until a request is answered, refused or cut off, whatever happens to a service. */
export const maxAnswerMs = 15_000;

/** pino's number for the level `error`. */
const errorLevel = 50;

/** The status of a response, or "closed" if the connection was closed. Rejects if neither happens in time. */
export async function getStatus(answer: Promise<Response>): Promise<number | "closed"> {
  let response: Response;
  try {
    response = await answer;
    await response.text();
  } catch (error) {
    if ((error as Error).name === "TimeoutError") throw error;
    return "closed";
  }
  return response.status;
}

/** Sends a request with the timeout that applies to every request. */
export function ask(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(maxAnswerMs) });
}

/** Posts JSON with the same timeout. */
export const post = (url: string, body: object): Promise<Response> =>
  ask(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/** Expects that a service is running and answers, had no unhandled error, and logged the reason for each of its 500 responses. */
export async function expectSurvival(service: ServiceProcess): Promise<void> {
  expect(service.process.exitCode).toBeNull();
  expect(await getStatus(ask(`${service.baseUrl}/health`))).toBe(200);
  const errors = service.log.filter(({ level }) => level >= errorLevel);
  expect(errors.filter(({ msg }) => /nothing handled/.test(msg ?? ""))).toEqual([]);
  const explained = new Set(errors.map(({ request_id }) => request_id));
  const failed = service.log.filter(({ msg, status }) => msg === "request" && status === 500);
  expect(failed.filter(({ request_id }) => !explained.has(request_id))).toEqual([]);
}

/** Stops a service like an operator, and expects that this works. */
export async function expectCleanEnd(service: ServiceProcess): Promise<void> {
  await expectSurvival(service);
  expect(await service.end()).toBe(0);
}
