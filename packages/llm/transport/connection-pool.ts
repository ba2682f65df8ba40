import { SwapRemoveList, TimeoutWatch } from "@agent-backends/kit/timeouts";
import type { Destination } from "./connect.ts";
import type { ConnectionOwner } from "./connection.ts";
import { Connection } from "./connection.ts";

/** Maximum number of idle connections. Surplus ones are closed. */
const maxIdleConnections = 1_024;

/** Connections to one server, directly or through a proxy, kept alive between requests. Opens one for each concurrent request. */
export class ConnectionPool implements ConnectionOwner {
  readonly destination: Destination;
  readonly connecting: TimeoutWatch;
  readonly #idleWatch: TimeoutWatch;
  // A stack: reusing the newest connection first lets surplus ones reach their idle timeout.
  readonly #idle: Connection[] = [];
  readonly #open = new SwapRemoveList<Connection>();

  constructor(destination: Destination, options: { connectTimeoutMs: number; idleConnectionTimeoutMs: number }) {
    this.destination = destination;
    this.connecting = new TimeoutWatch(options.connectTimeoutMs);
    this.#idleWatch = new TimeoutWatch(options.idleConnectionTimeoutMs);
  }

  /** Returns an idle connection, or a new one if there is none or `fresh` is true. */
  acquire(fresh: boolean): Connection {
    while (!fresh) {
      const connection = this.#idle.pop();
      if (!connection) break;
      connection.idleWatch?.stop();
      connection.idleWatch = undefined;
      if (connection.usable) return connection;
    }
    const connection = new Connection(this);
    this.#open.add(connection);
    return connection;
  }

  onIdle(connection: Connection): void {
    if (this.#idle.length >= maxIdleConnections) {
      connection.destroy();
      return;
    }
    this.#idle.push(connection);
    connection.idleWatch = this.#idleWatch.watch(() => connection.destroy());
  }

  onClose(connection: Connection): void {
    this.#open.remove(connection);
    if (!connection.idleWatch) return;
    connection.idleWatch.stop();
    this.#idle.splice(this.#idle.lastIndexOf(connection), 1);
  }

  /** Closes every connection, busy or idle. */
  close(): void {
    this.#open.visit((connection) => connection.destroy());
  }
}
