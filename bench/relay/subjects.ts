import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceManifest } from "@agent-backends/contract/services";
import { services } from "@agent-backends/contract/services";
import { benchDirectory as bench, buildDirectory, rootDirectory as root } from "../harness/paths.ts";
import type { Launch } from "../harness/processes.ts";

export interface Subject {
  name: string;
  /** Name in tables. */
  title: string;
  /** What a client sends to it and receives from it. */
  request: "run-input" | "completion";
  path: string;
  headers?: (providerPort: number) => Record<string, string>;
  format: "ag-ui" | "openai" | "ui-message";
  /** Absent for the direct connection without a relay. */
  start?: (port: number, providerPort: number, redisPort: number) => Launch;
  needs: { file: string; otherwise: string };
  version: () => string;
}

const peers = join(bench, "peers");
const agUi = { request: "run-input", path: "/agent", format: "ag-ui" } as const;
const proxy = { request: "completion", path: "/v1/chat/completions", format: "openai" } as const;

const provider = (port: number) => `http://127.0.0.1:${port}/v1`;
const nodeServer =
  (script: string, flags: readonly string[] = []) =>
  (port: number, providerPort: number) => ({
    command: process.execPath,
    args: [...flags, script],
    environment: {
      PORT: String(port),
      LLM_BASE_URL: provider(providerPort),
      LLM_API_KEY: "sk-benchmark",
      RELAY_MODEL: "gpt-4o",
    },
  });

function ours(
  name: string,
  title: string,
  { main, nodeFlags }: ServiceManifest,
  runsUrl?: (redisPort: number) => string,
): Subject {
  const script = join(root, main);
  const startPlain = nodeServer(script, nodeFlags);
  const start: Subject["start"] = (port, providerPort, redisPort) => {
    const { environment, ...launch } = startPlain(port, providerPort);
    return { ...launch, environment: { ...environment, RUNS_URL: runsUrl?.(redisPort) ?? "" } };
  };
  const needs = { file: script, otherwise: "Build the project first: npm run build" };
  return { name, title, ...agUi, start, needs, version: () => packageVersion(root) };
}

function peer(name: string, title: string, script: string, packages: string[], how: Partial<Subject>): Subject {
  const versions = () => packages.map((name) => `${name} ${packageVersion(join(peers, "node_modules", name))}`);
  return {
    name,
    title,
    ...proxy,
    start: nodeServer(join(peers, script)),
    needs: { file: join(peers, script), otherwise: `Install the peers: npm ci in ${peers}` },
    version: () => [...versions(), `Node ${process.version}`].join(", "),
    ...how,
  };
}

const portkey = "@portkey-ai/gateway";

/** All measured subjects, in the order of the tables. */
export const subjects: readonly Subject[] = [
  ours("express", "relay, Express", services.relay),
  ours("nest", "relay, NestJS", services.relayNest),
  ours("express-memory", "relay, Express, runs in memory", services.relay, () => "memory:"),
  {
    ...ours("express-redis", "relay, Express, runs in Redis", services.relay, (port) => `redis://127.0.0.1:${port}`),
    needs: { file: "/usr/bin/redis-server", otherwise: "Install it first: scripts/install-redis.sh" },
  },
  peer("tutorial", "(a) tutorial relay", "tutorial.mjs", ["express", "openai"], agUi),
  peer("ai-sdk", "(b) AI SDK", "ai-sdk.mjs", ["ai", "@ai-sdk/openai-compatible"], { ...agUi, format: "ui-message" }),
  peer("portkey", "(c) Portkey gateway", `node_modules/${portkey}/build/start-server.js`, [portkey], {
    headers: (port) => ({
      "x-portkey-provider": "openai",
      "x-portkey-custom-host": provider(port),
      Authorization: "Bearer sk-benchmark",
    }),
    start: (port) => ({
      command: process.execPath,
      args: [join(peers, "node_modules", portkey, "build/start-server.js"), `--port=${port}`, "--headless"],
    }),
  }),
  peer("pipe", "(d) node byte pipe", "pipe.mjs", [], {}),
  {
    name: "nginx",
    title: "(e) nginx",
    ...proxy,
    start: (port, providerPort) => ({ command: "nginx", args: ["-c", writeNginxConfiguration(port, providerPort)] }),
    needs: { file: "/usr/sbin/nginx", otherwise: "nginx is not installed" },
    version: () => execFileSync("sh", ["-c", "nginx -v 2>&1"], { encoding: "utf8" }).trim().replace(/.*\//, "nginx "),
  },
  {
    name: "direct",
    title: "no relay at all",
    ...proxy,
    needs: { file: "/proc/self", otherwise: "The benchmark needs Linux" },
    version: () => "load and provider of this benchmark",
  },
];

export const subjectNames: readonly string[] = subjects.map(({ name }) => name);

function writeNginxConfiguration(port: number, providerPort: number): string {
  const directory = join(buildDirectory, "nginx");
  mkdirSync(directory, { recursive: true });
  const path = join(directory, "nginx.conf");
  const filled = readFileSync(join(peers, "nginx.conf"), "utf8")
    .replaceAll("DIRECTORY", directory)
    .replaceAll("PROVIDER_PORT", String(providerPort))
    .replaceAll(":PORT", `:${port}`);
  writeFileSync(path, filled);
  return path;
}

/** Installs the peers from their own lock file, unless they are installed. */
export function installPeers(): void {
  if (existsSync(join(peers, "node_modules"))) return;
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: peers, stdio: "inherit" });
}

function packageVersion(directory: string): string {
  const { version } = JSON.parse(readFileSync(join(directory, "package.json"), "utf8")) as { version: string };
  return version;
}
