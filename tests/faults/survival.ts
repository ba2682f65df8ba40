import type { ServiceProcess } from "@agent-backends/testing";
import { expect } from "vitest";

/** Whatever happens to a service, a request is answered, refused or cut within this time. */
export const longestAnswerMs = 15_000;

/** pino's number for `error`. */
const errorLevel = 50;

/** What a request came to: its status, or that the connection was closed. Rejects when neither comes in time. */
export async function statusOf(answer: Promise<Response>): Promise<number | "closed"> {
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

/** Asks with the time bound that holds for every request. */
export function ask(url: string, init: RequestInit = {}): Promise<Response> {
  return fetch(url, { ...init, signal: AbortSignal.timeout(longestAnswerMs) });
}

/** Posts JSON with the same bound. */
export const post = (url: string, body: object): Promise<Response> =>
  ask(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

/**
 * Expects of a service that it lives, answers, had no error that nothing handled, and logged why for each answer of 500
 * that it gave.
 */
export async function expectSurvival(service: ServiceProcess): Promise<void> {
  expect(service.process.exitCode).toBeNull();
  expect(await statusOf(ask(`${service.baseUrl}/health`))).toBe(200);
  const errors = service.log.filter(({ level }) => level >= errorLevel);
  expect(errors.filter(({ msg }) => /nothing handled/.test(msg ?? ""))).toEqual([]);
  const explained = new Set(errors.map(({ request_id }) => request_id));
  const failed = service.log.filter(({ msg, status }) => msg === "request" && status === 500);
  expect(failed.filter(({ request_id }) => !explained.has(request_id))).toEqual([]);
}

/** Ends a service as an operator does, and expects that it can. */
export async function expectCleanEnd(service: ServiceProcess): Promise<void> {
  await expectSurvival(service);
  expect(await service.end()).toBe(0);
}
