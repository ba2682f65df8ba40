import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { services } from "@agent-backends/contract";
import { buildDirectory, rootDirectory } from "../harness/paths.ts";
import { cores, cpuMicros, end, freePort, launch, untilItListens } from "../harness/processes.ts";

export interface Server {
  port: number;
  /** CPU time of its process so far, in microseconds. */
  cpuMicros(): number;
  close(): Promise<void>;
}

/** The built service, started as `package.json` does. Its cache outlasts the measurement. */
export async function startListing(site: { graphqlUrl: string }, providerPort: number): Promise<Server> {
  const { nodeFlags, main } = services.listing;
  return start([...nodeFlags, join(rootDirectory, main)], {
    LLM_API_KEY: "sk-benchmark",
    LLM_BASE_URL: `http://127.0.0.1:${providerPort}/v1`,
    LISTING_API_URL: site.graphqlUrl,
    LISTING_API_TOKEN: "benchmark",
    LISTING_CACHE_TTL_MS: "3600000",
    LOG_LEVEL: "error",
  });
}

/** A bare fastify route with the same payload. */
export async function startBare(payload: string): Promise<Server> {
  const path = join(buildDirectory, "listing-payload.json");
  writeFileSync(path, payload);
  return start([join(import.meta.dirname, "bare.ts"), path], {});
}

async function start(args: string[], environment: Record<string, string>): Promise<Server> {
  const port = await freePort();
  const child = launch(
    { command: process.execPath, args, environment: { PORT: String(port), ...environment } },
    cores.server,
    buildDirectory,
  );
  await untilItListens(child, port);
  return { port, cpuMicros: () => cpuMicros(child.pid ?? 0), close: () => end(child) };
}

/** Requests per second that `connections` get answered, each of which asks again when it has its answer. */
export async function measureRequests(port: number, connections: number, seconds: number): Promise<number> {
  const args = [join(import.meta.dirname, "client.ts"), ...[port, connections, seconds].map(String)];
  return (await measured<{ perSecond: number }>({ command: process.execPath, args })).perSecond;
}

/** Runs a program on the load's core and resolves with the JSON that it prints. */
export async function measured<Result>(program: { command: string; args: string[] }): Promise<Result> {
  const child = launch(program, cores.load, buildDirectory);
  if (!child.stdout || !child.stderr) throw new Error("The client has no output");
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`The client ended with ${code}: ${errors}`);
  return JSON.parse(output) as Result;
}
