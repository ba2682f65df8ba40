import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePorts } from "./processes.ts";

/** How long a server may take to accept connections, recovery after a crash included. */
const startTimeoutMs = 60_000;

/** A PostgreSQL server of a test's own, with pgvector, and PgBouncer in front of it. */
export interface PostgresServer {
  /** The address of the server itself. */
  readonly url: string;
  /** The address of PgBouncer in transaction mode. */
  readonly pooledUrl: string;
  /** Ends without notice, as when the machine loses its power, except that the disk's cache stays. */
  kill(): Promise<void>;
  /** Starts again on the same port, and recovers. */
  start(): Promise<void>;
  /** Ends for good, and removes all data. */
  stop(): Promise<void>;
}

/** @throws Error if PostgreSQL or PgBouncer isn't installed */
export async function startPostgresServer(): Promise<PostgresServer> {
  const [port = 0, pooledPort = 0] = await freePorts(2);
  const folder = mkdtempSync(join(tmpdir(), "postgres-"));
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o700 });
  // Neither program runs as root.
  const user = process.getuid?.() === 0 ? findUser("postgres") : {};
  for (const path of [folder, data]) if (user.uid !== undefined) chownSync(path, user.uid, user.gid ?? 0);
  const bin = findBinaries();
  // What initdb writes needs no flush: a machine that goes down ends the test, too.
  const options = ["--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "--no-sync"];
  execFileSync(join(bin, "initdb"), ["-D", data, ...options], { ...user, stdio: "ignore", cwd: folder });
  const settings = join(folder, "pgbouncer.ini");
  writeFileSync(
    settings,
    `[databases]\n* = host=127.0.0.1 port=${port} user=postgres\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${pooledPort}\n` +
      "unix_socket_dir =\nauth_type = any\npool_mode = transaction\nmax_client_conn = 500\ndefault_pool_size = 20\n" +
      "server_login_retry = 0.1\n",
  );
  let children: ChildProcess[] = [];
  const run = (command: string, args: string[]) =>
    spawn(command, args, { ...user, stdio: "ignore", cwd: folder, detached: true });
  const server = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pooledUrl: `postgres://postgres@127.0.0.1:${pooledPort}/postgres`,
    async kill() {
      // The server's own processes end when they miss it, but one of a killed group needs no time for that.
      const ended = children.map((child) => once(child, "exit"));
      for (const { pid } of children) if (pid !== undefined) process.kill(-pid, "SIGKILL");
      children = [];
      await Promise.all(ended);
    },
    async start() {
      const network = ["-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
      children = [
        run(join(bin, "postgres"), ["-D", data, ...network, "-c", "max_connections=200"]),
        run("/usr/sbin/pgbouncer", ["-q", settings]),
      ];
      await Promise.all([isAnswering(port), isAnswering(pooledPort)]);
    },
    async stop() {
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  await server.start();
  return server;
}

/** The newest version that Debian has installed. */
function findBinaries(): string {
  const root = "/usr/lib/postgresql";
  try {
    const [newest] = readdirSync(root).sort((one, other) => Number(other) - Number(one));
    if (newest) return join(root, newest, "bin");
  } catch {
    // The error below says what to do.
  }
  throw new Error("PostgreSQL is not installed; run scripts/install-postgres.sh");
}

function findUser(name: string): { uid?: number; gid?: number } {
  const id = (what: string) => Number(execFileSync("id", [what, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** A server that isn't ready yet refuses the start of a session with the code 57P03. */
async function isAnswering(port: number): Promise<void> {
  const start = performance.now();
  for (;;) {
    if (await asks(port)) return;
    if (performance.now() - start > startTimeoutMs) throw new Error("PostgreSQL did not start in time.");
    await delay(20);
  }
}

function asks(port: number): Promise<boolean> {
  const parameters = Buffer.from("user\0postgres\0database\0postgres\0\0");
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + parameters.length, 0);
  head.writeInt32BE(3 << 16, 4);
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1", () => socket.write(Buffer.concat([head, parameters])));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
    // "R" begins the answer of a server that lets the session start.
    socket.once("data", (bytes) => {
      resolve(bytes[0] === "R".charCodeAt(0));
      socket.destroy();
    });
  });
}
