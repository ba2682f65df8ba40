import { answer, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, expect, test } from "vitest";
import { serviceNames, start } from "../observability/services.ts";
import { findFault, hostileRequests } from "./hostile-requests.ts";

const provider = await startScriptedProvider({ script: () => answer.text("Hi") });
const variables = { LLM_BASE_URL: provider.baseUrl, LISTING_API_URL: "http://127.0.0.1:9/graphql" };
const services = new Map(
  await Promise.all(serviceNames.map(async (name) => [name, await start(name, variables)] as const)),
);
afterAll(() => provider.close());

/** Only every n-th request is sent. n has no common divisor with the number of replacements, so each replacement is used. */
const stride = 12;
const sizes = { textLength: 30_000, values: 20_000 };

// Sent one after the other, so that a report of the event loop monitor belongs to one request.
test.each(serviceNames)("%s answers every hostile body, and holds its event loop for none", async (name) => {
  const service = services.get(name);
  const faults: string[] = [];
  const sent = [...hostileRequests(name, sizes)].filter((_, index) => index % stride === 0);
  for (const { what, method, path, headers, bytes } of sent) {
    const response = await fetch(`${service?.baseUrl}${path}`, { method, headers, body: new Uint8Array(bytes()) });
    const fault = await findFault(response);
    if (fault !== undefined) faults.push(`${method} ${path}, ${what}: ${fault}`);
    provider.requests.length = 0;
  }
  expect(faults).toEqual([]);
  expect(await service?.end()).toBe(0);
});
