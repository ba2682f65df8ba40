import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { freePorts } from "./processes.ts";

/** A Redis server for one test, which stores nothing on disk. */
export interface RedisServer {
  readonly url: string;
  /** Stops responding, but leaves all connections open. */
  hang(): void;
  continue(): void;
  /** Stops the server without notice, and loses all data. */
  stop(): Promise<void>;
  /** Starts the server again on the same port. */
  start(): Promise<void>;
}

/** @throws Error if redis-server isn't installed */
export async function startRedisServer(): Promise<RedisServer> {
  const [port = 0] = await freePorts(1);
  const options = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  let child: ChildProcess | undefined;
  const server = {
    url: `redis://127.0.0.1:${port}`,
    hang: () => void child?.kill("SIGSTOP"),
    continue: () => void child?.kill("SIGCONT"),
    async stop() {
      if (child?.kill("SIGKILL")) await once(child, "exit");
      child = undefined;
    },
    async start() {
      child = spawn("redis-server", options, { stdio: ["ignore", "pipe", "ignore"], cwd: tmpdir() });
      const failed = once(child, "error").then(([cause]) => {
        throw new Error("redis-server could not be started; run scripts/install-redis.sh", { cause });
      });
      await Promise.race([isReady(child), failed]);
    },
  };
  await server.start();
  return server;
}

async function isReady({ stdout }: ChildProcess): Promise<void> {
  let output = "";
  for await (const piece of stdout ?? []) {
    output += piece;
    if (output.includes("Ready to accept connections")) return;
  }
  throw new Error(`redis-server ended before it was ready:\n${output}`);
}
