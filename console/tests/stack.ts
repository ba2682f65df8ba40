import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = new URL("../..", import.meta.url).pathname;
const startTimeoutMs = 60_000;

export type PortVariable = "RELAY_PORT" | "RELAY_NEST_PORT" | "KNOWLEDGE_PORT" | "LISTING_PORT" | "CONSOLE_PORT";

export interface Stack {
  /** Where the page is. */
  url: string;
  ports: Record<PortVariable, number>;
  close(): Promise<void>;
}

/**
 * Starts everything as `npm start` does, on free ports, with an empty store and none of the developer's settings.
 *
 * @param environment variables besides, such as another provider
 */
export async function startStack(environment: Record<string, string> = {}): Promise<Stack> {
  execFileSync(process.execPath, ["scripts/build-console.ts"], { cwd: root });
  const folder = await mkdtemp(join(tmpdir(), "console-test-"));
  const names = ["RELAY_PORT", "RELAY_NEST_PORT", "KNOWLEDGE_PORT", "LISTING_PORT", "CONSOLE_PORT"] as const;
  const free = await freePorts(names.length);
  const ports = Object.fromEntries(names.map((name, index) => [name, free[index]])) as Stack["ports"];
  const child = spawn(process.execPath, ["scripts/start/main.ts"], {
    cwd: root,
    env: {
      ...withoutSettings(process.env),
      ...Object.fromEntries(names.map((name) => [name, String(ports[name])])),
      KNOWLEDGE_STORE: folder,
      ...environment,
    },
  });
  await printed(child, /Ctrl-C stops everything/);
  return {
    url: `http://127.0.0.1:${ports.CONSOLE_PORT}/`,
    ports,
    async close() {
      const exited = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGTERM");
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A blank variable is set, so that a `.env` file does not set it. */
function withoutSettings(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const blank = ["LLM_API_KEY", "LLM_BASE_URL", "RELAY_MODEL", "RELAY_PROFILE", "LISTING_API_TOKEN", "LISTING_API_URL"];
  const more = [
    "LISTING_SEARCH_APP_ID",
    "LISTING_SEARCH_URL",
    "KNOWLEDGE_LLM_MODEL",
    "KNOWLEDGE_EMBEDDING_MODEL",
    "HOST",
  ];
  return { ...environment, ...Object.fromEntries([...blank, ...more].map((name) => [name, ""])) };
}

function printed(child: ChildProcess, pattern: RegExp): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (bytes) => {
      output += bytes;
      if (pattern.test(output)) resolve();
    });
  }
  child.once("exit", () => reject(new Error(`npm start ended before it printed ${pattern}:\n${output}`)));
  setTimeout(() => reject(new Error(`npm start did not print ${pattern}:\n${output}`)), startTimeoutMs).unref();
  return promise;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
