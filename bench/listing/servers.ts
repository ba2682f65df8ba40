import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { buildDirectory, rootDirectory } from "../relay/paths.ts";
import { cores, end, freePort, launch } from "../relay/processes.ts";

export interface Server {
  port: number;
  close(): Promise<void>;
}

const patienceMs = 10_000;
const pauseMs = 20;

/** The listing service, whose cache outlasts the measurement. */
export async function startListing(site: { graphqlUrl: string }, providerPort: number): Promise<Server> {
  return start([join(rootDirectory, "services/listing/dist/main.js")], {
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
  child.stdout?.resume();
  const errors: string[] = [];
  child.stderr?.setEncoding("utf8").on("data", (line: string) => errors.push(line));
  const until = performance.now() + patienceMs;
  for (;;) {
    if (await answers(port)) return { port, close: () => end(child) };
    if (child.exitCode !== null || performance.now() > until)
      throw new Error(`A server did not start: ${errors.join("")}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

async function answers(port: number): Promise<boolean> {
  try {
    await (await fetch(`http://127.0.0.1:${port}/health`)).text();
    return true;
  } catch {
    return false;
  }
}

/** Runs client.ts on the load's core and resolves with what it measured. */
export async function runClient<Result>(args: (string | number)[], providerPort = 0): Promise<Result> {
  const child = launch(
    {
      command: process.execPath,
      args: [join(import.meta.dirname, "client.ts"), ...args.map(String)],
      environment: { PROVIDER_PORT: String(providerPort) },
    },
    cores.load,
    buildDirectory,
  );
  if (!child.stdout || !child.stderr) throw new Error("The client has no output");
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`The client ended with ${code}: ${errors}`);
  return JSON.parse(output) as Result;
}
