import { SilenceWatch } from "../silence-watch.ts";
import type { ConnectionOwner } from "./connection.ts";
import { Connection } from "./connection.ts";

/** Idle connections beyond this many are closed. */
const mostIdleConnections = 1_024;

/** Connections to one server, kept alive between requests. There are as many as there are requests at a time. */
export class ConnectionPool implements ConnectionOwner {
  readonly target: URL;
  readonly connecting: SilenceWatch;
  readonly #idleWatch: SilenceWatch;
  // The last that became idle is taken first, so that what isn't needed grows old.
  readonly #idle = new Map<Connection, { stop(): void }>();
  readonly #idleOrder: Connection[] = [];
  readonly #open = new Set<Connection>();

  constructor(target: URL, options: { connectTimeoutMs: number; keepIdleMs: number }) {
    this.target = target;
    this.connecting = new SilenceWatch(options.connectTimeoutMs);
    this.#idleWatch = new SilenceWatch(options.keepIdleMs);
  }

  /** A connection that is ready to send: one that was used before, or, always with `fresh`, a new one. */
  acquire(fresh: boolean): Connection {
    while (!fresh) {
      const connection = this.#idleOrder.pop();
      if (!connection) break;
      this.#idle.get(connection)?.stop();
      if (this.#idle.delete(connection) && connection.usable) return connection;
    }
    const connection = new Connection(this);
    this.#open.add(connection);
    return connection;
  }

  idle(connection: Connection): void {
    if (this.#idle.size >= mostIdleConnections) {
      connection.destroy();
      return;
    }
    this.#idleOrder.push(connection);
    this.#idle.set(
      connection,
      this.#idleWatch.watch(() => connection.destroy()),
    );
  }

  closed(connection: Connection): void {
    this.#open.delete(connection);
    this.#idle.get(connection)?.stop();
    if (!this.#idle.delete(connection)) return;
    const at = this.#idleOrder.lastIndexOf(connection);
    if (at >= 0) this.#idleOrder.splice(at, 1);
  }

  /** Closes every connection, whatever it is doing. */
  close(): void {
    for (const connection of this.#open) connection.destroy();
  }
}
