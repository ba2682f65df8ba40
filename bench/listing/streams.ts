import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildDirectory } from "../harness/paths.ts";
import { compile } from "../harness/provider.ts";
import type { LoadResult } from "../relay/load.ts";
import { measured } from "./servers.ts";

/** Streams whose starts are spread over `rampMs`. Each has a word in each gap. */
export interface Streams {
  count: number;
  tokens: number;
  gapMs: number;
  rampMs: number;
}

/** The format of the response at each path. The second one is the provider itself. */
const targets = {
  "/agent": "listing",
  "/v1/chat/completions": "openai",
} as const;

/** The time from the provider's sending of each word until its arrival, in milliseconds. @throws Error if a word is missing */
export async function measureStreams(
  port: number,
  path: keyof typeof targets,
  { count, tokens, gapMs, rampMs }: Streams,
): Promise<{ p50: number; p99: number; words: number }> {
  // The request tells the provider how to answer; see ../harness/load/provider.c.
  const plan = `plan tokens=${tokens} pace_us=${gapMs * 1_000} obfuscation=0 coalesced=0 silent_after=-1 run=00000000`;
  const content = `Show me the top products. ${plan}`;
  const body = JSON.stringify({ messages: [{ role: "user", content }], stream: true });
  const head = [`POST ${path} HTTP/1.1`, `Host: 127.0.0.1:${port}`, "Content-Type: application/json"];
  const directory = join(buildDirectory, "requests");
  mkdirSync(directory, { recursive: true });
  const request = join(directory, `listing-${targets[path]}`);
  writeFileSync(request, [...head, `Content-Length: ${Buffer.byteLength(body)}`, "", body].join("\r\n"));
  const settings = { port, request, format: targets[path], tokens, concurrency: count, runs: count, ramp_ms: rampMs };
  const args = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const result = await measured<LoadResult>({ command: compile().load, args });
  const { completed, delayMicros, failures } = result;
  if (completed !== count || delayMicros === null) {
    throw new Error(`${completed} of ${count} streams came whole: ${JSON.stringify(failures)}`);
  }
  return { p50: delayMicros.p50 / 1_000, p99: delayMicros.p99 / 1_000, words: result.tokens };
}
