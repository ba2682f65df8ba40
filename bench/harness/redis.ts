import { existsSync } from "node:fs";
import { buildDirectory } from "./paths.ts";
import { cores, end, freePort, launch, untilItListens } from "./processes.ts";

/** Starts the Redis server of relays that keep runs there, without a disk. Returns undefined if it isn't installed. */
export async function startRedis(): Promise<{ port: number; close(): Promise<void> } | undefined> {
  const command = "/usr/bin/redis-server";
  if (!existsSync(command)) return undefined;
  const port = await freePort();
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  const child = launch({ command, args }, cores.load, buildDirectory);
  await untilItListens(child, port);
  return { port, close: () => end(child) };
}
