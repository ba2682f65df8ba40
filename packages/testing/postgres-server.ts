import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePorts } from "./processes.ts";

/** How long a server may take to accept connections, recovery after a crash included. */
const startTimeoutMs = 60_000;
const retryDelayMs = 100;

/** A PostgreSQL server of a test's own, with pgvector, and PgBouncer in front of it. */
export interface PostgresServer {
  /** The address of the server itself. */
  readonly url: string;
  /** The address of PgBouncer in transaction mode. */
  readonly pooledUrl: string;
  /** Offers TLS with this certificate, and no longer lets users in without, nor without a certificate of `clients`, an authority's. */
  requireTls(certificate: { key: string; cert: string }, clients?: { cert: string }): Promise<void>;
  /** Kills all processes of the server, and leaves PgBouncer alone. */
  kill(): Promise<void>;
  /** Starts again on the same port, and recovers what was committed. */
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
  const run = (command: string, args: string[]) => spawn(command, args, { ...user, stdio: "ignore", cwd: folder });
  const network = ["-p", String(port), "-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories="];
  let database: ChildProcess | undefined;
  let bouncer: ChildProcess | undefined;
  const server: PostgresServer = {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    pooledUrl: `postgres://postgres@127.0.0.1:${pooledPort}/postgres`,
    async requireTls({ key, cert }, clients) {
      for (const [name, text] of [
        ["server.key", key],
        ["server.crt", cert],
        ["clients.crt", clients?.cert ?? ""],
      ] as const) {
        writeFileSync(join(data, name), text, { mode: 0o600 });
        if (user.uid !== undefined) chownSync(join(data, name), user.uid, user.gid ?? 0);
      }
      appendFileSync(join(data, "postgresql.auto.conf"), `ssl = on\nssl_ca_file = '${clients ? "clients.crt" : ""}'\n`);
      writeFileSync(join(data, "pg_hba.conf"), `hostssl all all 127.0.0.1/32 ${clients ? "cert" : "trust"}\n`);
      database?.kill("SIGHUP");
      while (!(await offersTls(port))) await delay(20);
    },
    async kill() {
      if (!database) return;
      const exited = once(database, "exit");
      // Those that serve connections would end their statements first, and stopped it makes no more of them.
      database.kill("SIGSTOP");
      for (const pid of [...listChildren(database.pid), database.pid]) if (pid !== undefined) killIfRunning(pid);
      database = undefined;
      await exited;
    },
    async start() {
      bouncer ??= run("/usr/sbin/pgbouncer", ["-q", settings]);
      // It ends at once while the memory of a killed server is still in use, which it is until the last of its processes is gone.
      for (let isRunning = false; !isRunning; ) {
        database = run(join(bin, "postgres"), ["-D", data, ...network, "-c", "max_connections=200"]);
        const ended = once(database, "exit").then(() => delay(retryDelayMs, false));
        isRunning = await Promise.race([isAnswering(port).then(() => true), ended]);
      }
      await isAnswering(pooledPort);
    },
    async stop() {
      if (bouncer?.kill("SIGKILL")) await once(bouncer, "exit");
      await server.kill();
      process.off("exit", killAll);
      rmSync(folder, { recursive: true, force: true });
    },
  };
  // A test that crashes leaves nothing behind.
  const killAll = () => {
    for (const child of [bouncer, database]) child?.kill("SIGKILL");
  };
  process.once("exit", killAll);
  await server.start();
  return server;
}

function listChildren(pid: number | undefined): number[] {
  const { stdout } = spawnSync("pgrep", ["-P", String(pid)], { encoding: "utf8" });
  return stdout.split("\n").filter(Boolean).map(Number);
}

function killIfRunning(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
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

/** "R" begins the answer of a server that lets the session start. */
const asks = (port: number): Promise<boolean> =>
  begin(port, 3 << 16, Buffer.from("user\0postgres\0database\0postgres\0\0"), "R");

/** The code of an SSLRequest, which is answered by "S" (PostgreSQL, "Message Formats"). */
const offersTls = (port: number): Promise<boolean> => begin(port, 80_877_103, Buffer.alloc(0), "S");

/** Whether the server's answer to a first message begins with a letter. */
function begin(port: number, code: number, content: Buffer, letter: string): Promise<boolean> {
  const head = Buffer.alloc(8);
  head.writeInt32BE(8 + content.length, 0);
  head.writeInt32BE(code, 4);
  return new Promise((resolve) => {
    const socket = createConnection(port, "127.0.0.1", () => socket.write(Buffer.concat([head, content])));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
    socket.once("data", (bytes) => {
      resolve(bytes[0] === letter.charCodeAt(0));
      socket.destroy();
    });
  });
}
