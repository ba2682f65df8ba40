import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "./processes.ts";
import type { ServiceProcess } from "./service-process.ts";
import { startService } from "./service-process.ts";

/**
 * Starts nginx in front of replicas of a service, with round-robin load balancing. Resolves when the replicas respond through it.
 *
 * @param folder folder for nginx's files
 */
export async function startNginx(folder: string, port: number, replicaUrls: readonly string[]): Promise<ChildProcess> {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  // If root starts nginx, its workers would run as a user who can't write to the folder.
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const servers = replicaUrls.map((url) => `server ${new URL(url).host} max_fails=0;`);
  const configuration = [
    `${user} pid ${folder}/nginx.pid; daemon off; error_log stderr crit; events {}`,
    `http { access_log off; ${temporary.join(" ")} client_max_body_size 0;`,
    `upstream replicas { ${servers.join(" ")} }`,
    `server { listen 127.0.0.1:${port};`,
    "location / { proxy_pass http://replicas; proxy_http_version 1.1; proxy_request_buffering off; proxy_read_timeout 120s;",
    "proxy_set_header Host $host; proxy_pass_header X-Accel-Buffering; add_header X-Replica $upstream_addr always; } } }",
  ];
  const path = join(folder, "nginx.conf");
  await writeFile(path, configuration.join("\n"));
  const nginx = spawn("nginx", ["-p", folder, "-c", path], { stdio: ["ignore", "ignore", "inherit"] });
  await once(nginx, "spawn");
  await waitUntilAnswering(`http://127.0.0.1:${port}/health`);
  return nginx;
}

/**
 * Starts replicas of a service behind nginx, which tests use like one process: the URL is nginx's, and the log contains the lines of all
 * replicas.
 *
 * @param main path of the service's built main module
 */
export async function startReplicas(
  main: string,
  variables: Record<string, string>,
  count = 3,
): Promise<ServiceProcess> {
  const folder = await mkdtemp(join(tmpdir(), "replicas-"));
  const replicas = await Promise.all(Array.from({ length: count }, () => startService(main, variables)));
  const [port = 0] = await freePorts(1);
  const nginx = await startNginx(
    folder,
    port,
    replicas.map(({ baseUrl }) => baseUrl),
  );
  const ended = once(nginx, "exit");
  const baseUrl = `http://127.0.0.1:${port}`;
  const [first] = replicas as [ServiceProcess, ...ServiceProcess[]];
  return {
    baseUrl,
    metricsUrl: first.metricsUrl,
    process: first.process,
    get log() {
      return replicas.flatMap(({ log }) => log);
    },
    get printed() {
      return replicas.flatMap(({ printed }) => printed);
    },
    exited: first.exited,
    getLongTurns: () => replicas.flatMap((replica) => replica.getLongTurns()),
    async end(signal) {
      const how = await Promise.all(replicas.map((replica) => replica.end(signal)));
      nginx.kill("SIGTERM");
      await ended;
      await rm(folder, { recursive: true, force: true });
      return how[0] ?? 0;
    },
  };
}

const maxStartMs = 10_000;
const pollIntervalMs = 50;

async function waitUntilAnswering(url: string): Promise<void> {
  for (let waitedMs = 0; ; waitedMs += pollIntervalMs) {
    const response = await fetch(url).catch(() => undefined);
    if (response?.ok) return;
    if (waitedMs >= maxStartMs) throw new Error(`nginx doesn't answer for ${url}`);
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
}
