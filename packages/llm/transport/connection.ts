import type { Socket } from "node:net";
import { connect as connectPlain, isIP } from "node:net";
import { connect as connectSecure } from "node:tls";
import type { SwapRemoveItem, TimeoutWatch, Watched } from "@agent-backends/kit/timeouts";
import { ConnectTimeoutError } from "../errors/failures.ts";
import type { ResponseHandler } from "./response-reader.ts";
import { ResponseReader } from "./response-reader.ts";

/** Receives one response. The last call is `onComplete` or `onBroken`. */
export interface ConnectionHandler extends ResponseHandler {
  /** All bytes of one socket read were passed on. */
  onReadEnd(): void;
  /** The connection broke before the response was whole, or the response is not valid HTTP. */
  onBroken(error: Error): void;
}

/** The pool, as a connection sees it. */
export interface ConnectionOwner {
  readonly target: URL;
  /** The timeout for establishing a connection. */
  readonly connecting: TimeoutWatch;
  /** The connection can be used for another request. */
  idle(connection: Connection): void;
  closed(connection: Connection): void;
}

/**
 * One buffer for all sockets: each read is consumed before the next one. Allocating a buffer per read would cost more CPU
 * than everything else that happens to its bytes.
 */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

const probeAfterIdleMs = 60_000;

/** A connection to the provider, plain or over TLS, for one request after another. */
export class Connection implements SwapRemoveItem {
  index = -1;
  /** The idle timeout, set while the connection is in the pool. */
  idleWatch: Watched | undefined;
  /** The number of requests sent so far. */
  requests = 0;
  readonly #owner: ConnectionOwner;
  readonly #socket: Socket;
  #exchange: ConnectionHandler | undefined;
  #reader: ResponseReader | undefined;
  #keepAlive = false;
  #complete = false;
  #error: Error | undefined;

  constructor(owner: ConnectionOwner) {
    this.#owner = owner;
    this.#socket = connect(owner.target, (length) => this.#read(length));
    const connecting = owner.connecting.watch(() => {
      this.#break(new ConnectTimeoutError("The connection was not made in time."));
    });
    this.#socket.once(owner.target.protocol === "https:" ? "secureConnect" : "connect", () => connecting.stop());
    this.#socket.on("error", (error) => {
      this.#error ??= error;
    });
    this.#socket.on("end", () => this.#end());
    this.#socket.once("close", () => {
      connecting.stop();
      this.#end();
      owner.closed(this);
    });
    // A paused socket emits no "end".
    this.#socket.resume();
  }

  get usable(): boolean {
    return this.#exchange === undefined && this.#socket.writable && !this.#socket.destroyed;
  }

  /**
   * Sends a request: head and body in one text, or a head and then a body in bytes. The bytes must stay unchanged until
   * `onWritten` is called, which also happens on failure. The connection must be usable.
   */
  send(request: string, handler: ConnectionHandler, body?: { bytes: Uint8Array; onWritten(): void }): void {
    this.requests += 1;
    this.#socket.ref();
    this.#exchange = handler;
    this.#complete = false;
    this.#reader = new ResponseReader({
      onHead: (head) => {
        this.#keepAlive = head.keepAlive;
        handler.onHead(head);
      },
      onBody: (bytes, start, end) => handler.onBody(bytes, start, end),
      onComplete: () => {
        this.#complete = true;
      },
    });
    this.#socket.cork();
    this.#socket.write(request, "utf8");
    if (body) this.#socket.write(body.bytes, body.onWritten);
    this.#socket.uncork();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  /** Closes the connection at once. The handler is not called again. */
  destroy(): void {
    this.#exchange = undefined;
    this.#socket.destroy();
  }

  #break(error: Error): void {
    this.#error ??= error;
    this.#socket.destroy();
  }

  #read(length: number): boolean {
    const exchange = this.#exchange;
    if (!exchange || !this.#reader) {
      // Bytes without a request. They must not be taken for the response to the next one.
      this.destroy();
      return true;
    }
    try {
      const end = this.#reader.push(readBuffer, 0, length);
      if (end < length) this.#keepAlive = false;
    } catch (error) {
      exchange.onReadEnd();
      this.#break(error as Error);
      return true;
    }
    if (this.#exchange === exchange) exchange.onReadEnd();
    if (this.#complete) this.#finish();
    return true;
  }

  #finish(): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#reader = undefined;
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#keepAlive && exchange) {
      // An idle connection doesn't keep the process alive.
      this.#socket.unref();
      this.#owner.idle(this);
    } else {
      this.#socket.destroy();
    }
    exchange?.onComplete();
  }

  #end(): void {
    const exchange = this.#exchange;
    if (!exchange || !this.#reader) return;
    if (this.#error === undefined && this.#reader.end()) {
      this.#keepAlive = false;
      this.#finish();
      return;
    }
    this.#exchange = undefined;
    exchange.onBroken(this.#error ?? new Error("The connection was closed before the answer was whole."));
  }
}

function connect({ protocol, hostname, port }: URL, onRead: (length: number) => boolean): Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  const secure = protocol === "https:";
  const options = {
    host,
    port: Number(port || (secure ? 443 : 80)),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: probeAfterIdleMs,
    onread: { buffer: readBuffer, callback: onRead },
  };
  if (!secure) return connectPlain(options);
  return connectSecure({ ...options, ALPNProtocols: ["http/1.1"], ...(isIP(host) === 0 && { servername: host }) });
}
