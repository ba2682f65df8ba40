import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, chownSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createConnection } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePorts } from "./processes.ts";

/** Maximum time until a server accepts connections, including recovery after a crash. */
const startTimeoutMs = 60_000;
const retryDelayMs = 100;

/** A PostgreSQL server for one test, with pgvector, and PgBouncer in front of it. */
export interface PostgresServer {
  /** URL of the server itself. */
  readonly url: string;
  /** URL of PgBouncer in transaction mode. */
  readonly pooledUrl: string;
  /**
   * Enables TLS with this certificate, and refuses users without TLS. With `clients`, an authority's certificate, it also refuses users
   * without a certificate of that authority.
   */
  requireTls(certificate: { key: string; cert: string }, clients?: { cert: string }): Promise<void>;
  /** Kills all processes of the server, but not PgBouncer. */
  kill(): Promise<void>;
  /** Starts the server again on the same port. It recovers all committed data. */
  start(): Promise<void>;
  /** Stops the server for good, and removes all data. */
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
  // The files of initdb need no flush: if the machine goes down, the test ends too.
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
      // Processes that serve connections would finish their statements when the main process dies. Stopping the main process first keeps it
      // from starting new ones.
      database.kill("SIGSTOP");
      for (const pid of [...listChildren(database.pid), database.pid]) if (pid !== undefined) killIfRunning(pid);
      database = undefined;
      await exited;
    },
    async start() {
      bouncer ??= run("/usr/sbin/pgbouncer", ["-q", settings]);
      // The server exits at once while the memory of a killed server is still in use, which lasts until the last of its processes is gone.
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
  // A crashing test must not leave processes behind.
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

/** The newest version installed by Debian. */
function findBinaries(): string {
  const root = "/usr/lib/postgresql";
  try {
    const [newest] = readdirSync(root).sort((one, other) => Number(other) - Number(one));
    if (newest) return join(root, newest, "bin");
  } catch {
    // The error below names the fix.
  }
  throw new Error("PostgreSQL is not installed; run scripts/install-postgres.sh");
}

function findUser(name: string): { uid?: number; gid?: number } {
  const id = (what: string) => Number(execFileSync("id", [what, name], { encoding: "utf8" }));
  return { uid: id("-u"), gid: id("-g") };
}

/** A server that isn't ready yet refuses a new session with the code 57P03. */
async function isAnswering(port: number): Promise<void> {
  const start = performance.now();
  for (;;) {
    if (await asks(port)) return;
    if (performance.now() - start > startTimeoutMs) throw new Error("PostgreSQL did not start in time.");
    await delay(20);
  }
}

/** A server that accepts the session responds with a message that starts with "R". */
const asks = (port: number): Promise<boolean> =>
  begin(port, 3 << 16, Buffer.from("user\0postgres\0database\0postgres\0\0"), "R");

/** The request code of an SSLRequest, which a server with TLS answers with "S" (PostgreSQL, "Message Formats"). */
const offersTls = (port: number): Promise<boolean> => begin(port, 80_877_103, Buffer.alloc(0), "S");

/** Whether the server's response to a first message starts with a letter. */
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
