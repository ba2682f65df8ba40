import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { services } from "@agent-backends/contract";
import { buildDirectory, rootDirectory } from "../harness/paths.ts";
import type { Launch, Server } from "../harness/processes.ts";
import { cores, launch, readResult, startServer } from "../harness/processes.ts";

/** The built service, started like in `package.json`. Its cache lasts longer than the measurement. */
export function startListing(
  site: { graphqlUrl: string },
  provider: string,
  core: number | string = cores.server,
): Promise<Server> {
  const { nodeFlags, main } = services.listing;
  const variables = {
    LLM_API_KEY: "sk-benchmark",
    LLM_BASE_URL: provider,
    LISTING_API_URL: site.graphqlUrl,
    LISTING_API_TOKEN: "benchmark",
    LISTING_CACHE_TTL_MS: "3600000",
    LOG_LEVEL: "error",
  };
  return startServer([...nodeFlags, join(rootDirectory, main)], variables, core);
}

/** A bare fastify route with the same payload. */
export function startBare(payload: string): Promise<Server> {
  const path = join(buildDirectory, "listing-payload.json");
  writeFileSync(path, payload);
  return startServer([join(import.meta.dirname, "bare.ts"), path], {}, cores.server);
}

/** Number of requests answered per second over `connections`, each of which sends its next request after a response. */
export async function measureRequests(port: number, connections: number, seconds: number): Promise<number> {
  const args = [join(import.meta.dirname, "client.ts"), ...[port, connections, seconds].map(String)];
  return (await measured<{ perSecond: number }>({ command: process.execPath, args })).perSecond;
}

/** Runs a program on the load's core. Resolves with the JSON that it prints. */
export const measured = <Result>(program: Launch): Promise<Result> =>
  readResult<Result>(launch(program, cores.load, buildDirectory));
