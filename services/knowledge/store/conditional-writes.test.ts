import { createServer } from "node:http";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { describe, expect, it, onTestFinished } from "vitest";
import { probeConditionalWrites } from "./conditional-writes.ts";

/** A store that keeps objects in memory and answers a write where something is with `status`. */
async function startStore(status: (exists: boolean) => number) {
  const objects = new Set<string>();
  const requests: { method?: string; url?: string; authorization?: string; condition?: string }[] = [];
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    requests.push({
      method,
      url,
      authorization: String(headers.authorization),
      condition: String(headers["if-none-match"]),
    });
    request.resume().on("end", () => {
      const code = method === "DELETE" ? 204 : status(objects.has(url));
      if (method === "DELETE") objects.delete(url);
      else if (code < 300) objects.add(url);
      response.writeHead(code).end();
    });
  });
  return { endpoint: await listenOnLoopback(server, onTestFinished), objects, requests };
}

const keys = { AWS_ACCESS_KEY_ID: "AKID", AWS_SECRET_ACCESS_KEY: "secret", AWS_REGION: "eu-1" };

describe("a store that speaks S3", () => {
  it.each([
    ["keeps the condition", (exists: boolean) => (exists ? 412 : 200), "kept"],
    ["answers that two writers are in conflict", (exists: boolean) => (exists ? 409 : 200), "kept"],
    ["overwrites all the same", () => 200, "ignored"],
    ["does not know the condition", () => 501, "ignored"],
    ["refuses all writes", () => 403, { unknown: "the store answered 403 to a write" }],
  ])("that %s is found out, and left as it was", async (_what, status, expected) => {
    const { endpoint, objects, requests } = await startStore(status);
    const found = await probeConditionalWrites(
      "s3://bucket/some/path/",
      { ...keys, AWS_ENDPOINT: `${endpoint}/` },
      fetch,
    );
    expect(found).toEqual(expected);
    expect(objects.size).toBe(0);
    expect(requests[0]).toEqual({
      method: "PUT",
      url: expect.stringMatching(/^\/bucket\/some\/path\/conditional-write-[\w-]+$/),
      condition: "*",
      authorization: expect.stringMatching(
        /^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-1\/s3\/aws4_request, SignedHeaders=host;if-none-match;x-amz-content-sha256;x-amz-date, Signature=[0-9a-f]{64}$/,
      ),
    });
  });

  it("that can't be reached or has no keys here is said to be unknown", async () => {
    const AWS_ENDPOINT_URL = "http://127.0.0.1:1";
    expect(await probeConditionalWrites("s3://b", { ...keys, AWS_ENDPOINT_URL }, fetch)).toMatchObject({
      unknown: expect.stringContaining("can't be reached"),
    });
    expect(await probeConditionalWrites("s3://b", { AWS_ENDPOINT_URL }, fetch)).toMatchObject({
      unknown: expect.stringContaining("AWS_ACCESS_KEY_ID"),
    });
  });
});

it.each([
  ["Amazon's own store", "s3://bucket", {}],
  ["Google's store", "gs://bucket", { AWS_ENDPOINT: "http://127.0.0.1:1" }],
])("%s is not asked", async (_what, location, environment) => {
  expect(await probeConditionalWrites(location, { ...keys, ...environment }, () => Promise.reject(new Error()))).toBe(
    "kept",
  );
});
