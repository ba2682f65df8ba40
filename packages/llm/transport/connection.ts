import type { Socket } from "node:net";
import { TLSSocket } from "node:tls";
import type { ForwardProxy } from "@agent-backends/kit/egress";
import { ProxyError } from "@agent-backends/kit/egress";
import type { ActivityTimeout, SwapRemoveItem, TimeoutWatch } from "@agent-backends/kit/timeouts";
import { ConnectTimeoutError } from "../errors/failures.ts";
import type { Destination } from "./connect.ts";
import { connect, connectThrough } from "./connect.ts";
import type { LentBytes } from "./provider-stream.ts";
import type { ResponseHandler } from "./response-reader.ts";
import { ResponseReader } from "./response-reader.ts";

/** Receives one response. The last call is `onComplete` or `onBroken`. */
export interface ConnectionHandler extends ResponseHandler {
  /** Called when all bytes of one socket read have been passed on. */
  onReadEnd(): void;
  /** Called when the connection broke before the response was complete, or the response isn't valid HTTP. */
  onBroken(error: Error): void;
}

/** The interface of the pool that connections use. */
export interface ConnectionOwner {
  readonly destination: Destination;
  /** Timeout for establishing a connection, including the tunnel through a proxy. */
  readonly connecting: TimeoutWatch;
  /** Called when the connection can be reused for another request. */
  onIdle(connection: Connection): void;
  onClose(connection: Connection): void;
}

/**
 * One buffer for all sockets: each read is consumed before the next one. Allocating a buffer per read would cost more CPU time than all
 * other processing of its bytes.
 */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

/** A connection to the provider, plain or over TLS, direct or through a proxy. It serves one request at a time. */
export class Connection implements SwapRemoveItem {
  index = -1;
  /** The idle timeout, set while the connection is in the pool. */
  idleWatch: ActivityTimeout | undefined;
  /** Number of requests sent so far. */
  requests = 0;
  readonly #owner: ConnectionOwner;
  readonly #connecting: ActivityTimeout;
  /** Undefined while a proxy opens a tunnel. */
  #socket: Socket | undefined;
  /** Aborts opening the tunnel. */
  #opening: AbortController | undefined;
  /** The request that is waiting for the tunnel. */
  #unsent: [request: string, body?: LentBytes] | undefined;
  #isPaused = false;
  #exchange: ConnectionHandler | undefined;
  #reader: ResponseReader | undefined;
  #mayKeepAlive = false;
  #isComplete = false;
  #error: Error | undefined;

  constructor(owner: ConnectionOwner) {
    this.#owner = owner;
    const { target, proxy } = owner.destination;
    this.#connecting = owner.connecting.watch(() => {
      const through = proxy ? ` through the proxy ${proxy}` : "";
      this.#break(new ConnectTimeoutError(`The connection was not made in time${through}.`));
    });
    if (proxy && target.protocol === "https:") void this.#openTunnel(proxy);
    else {
      const callback = (length: number) => this.#read(readBuffer, length);
      this.#use(connect(owner.destination, { buffer: readBuffer, callback }));
    }
  }

  get usable(): boolean {
    return this.#exchange === undefined && this.#socket?.writable === true && !this.#socket.destroyed;
  }

  /**
   * Sends a request: head and body as one string, or a head and then a body in bytes. The bytes must stay unchanged until `onWritten` is
   * called, which also happens on failure. The connection must be usable.
   */
  send(request: string, handler: ConnectionHandler, body?: LentBytes): void {
    this.requests += 1;
    this.#exchange = handler;
    this.#isComplete = false;
    this.#reader = new ResponseReader({
      onHead: (head) => {
        this.#mayKeepAlive = head.keepAlive;
        handler.onHead(head);
      },
      onBody: (bytes, start, end) => handler.onBody(bytes, start, end),
      onComplete: () => {
        this.#isComplete = true;
      },
    });
    if (this.#socket) write(this.#socket, request, body);
    else this.#unsent = [request, body];
  }

  pause(): void {
    this.#isPaused = true;
    this.#socket?.pause();
  }

  resume(): void {
    this.#isPaused = false;
    this.#socket?.resume();
  }

  /** Closes the connection at once. The handler is not called again. */
  destroy(): void {
    this.#exchange = undefined;
    this.#disconnect();
  }

  async #openTunnel(proxy: ForwardProxy): Promise<void> {
    this.#opening = new AbortController();
    const { signal } = this.#opening;
    try {
      const socket = await connectThrough(proxy, this.#owner.destination, signal);
      // Node.js has no `onread` option for TLS over an existing socket.
      socket.on("data", (bytes) => this.#read(bytes, bytes.length));
      this.#use(socket);
      if (signal.aborted) socket.destroy();
    } catch (error) {
      this.#error ??= error as Error;
      this.#close();
    } finally {
      this.#opening = undefined;
    }
  }

  /** Takes over a socket that is about to connect. */
  #use(socket: Socket): void {
    const { target, proxy } = this.#owner.destination;
    this.#socket = socket;
    let isConnected = false;
    socket.once(socket instanceof TLSSocket ? "secureConnect" : "connect", () => {
      isConnected = true;
      this.#connecting.stop();
    });
    socket.on("error", (cause) => {
      const isProxyError = proxy && target.protocol === "http:" && !isConnected;
      this.#error ??= isProxyError ? new ProxyError(proxy, { cause }) : cause;
    });
    socket.on("end", () => this.#end());
    socket.once("close", () => this.#close());
    if (this.#unsent) write(socket, ...this.#unsent);
    this.#unsent = undefined;
    // A paused socket emits no "end".
    if (this.#isPaused) socket.pause();
    else socket.resume();
  }

  #break(error: Error): void {
    this.#error ??= error;
    this.#disconnect();
  }

  #disconnect(): void {
    this.#opening?.abort();
    this.#socket?.destroy();
  }

  #close(): void {
    this.#connecting.stop();
    this.#unsent?.[1]?.onWritten();
    this.#end();
    this.#owner.onClose(this);
  }

  #read(bytes: Buffer, length: number): boolean {
    const exchange = this.#exchange;
    if (!exchange || !this.#reader) {
      // These bytes belong to no request, and must not be read as the response to the next one.
      this.destroy();
      return true;
    }
    try {
      const end = this.#reader.push(bytes, 0, length);
      if (end < length) this.#mayKeepAlive = false;
    } catch (error) {
      exchange.onReadEnd();
      this.#break(error as Error);
      return true;
    }
    if (this.#exchange === exchange) exchange.onReadEnd();
    if (this.#isComplete) this.#finish();
    return true;
  }

  #finish(): void {
    const exchange = this.#exchange;
    this.#exchange = undefined;
    this.#reader = undefined;
    if (this.#isPaused) this.resume();
    if (this.#mayKeepAlive && exchange) {
      // An idle connection doesn't keep the process alive.
      this.#socket?.unref();
      this.#owner.onIdle(this);
    } else {
      this.#disconnect();
    }
    exchange?.onComplete();
  }

  #end(): void {
    const exchange = this.#exchange;
    if (!exchange || !this.#reader) return;
    if (this.#error === undefined && this.#reader.end()) {
      this.#mayKeepAlive = false;
      this.#finish();
      return;
    }
    this.#exchange = undefined;
    exchange.onBroken(this.#error ?? new Error("The connection was closed before the answer was whole."));
  }
}

function write(socket: Socket, request: string, body?: LentBytes): void {
  socket.ref();
  if (body === undefined) {
    socket.write(request, "utf8");
    return;
  }
  socket.cork();
  socket.write(request, "utf8");
  for (const piece of body.pieces.slice(0, -1)) socket.write(piece);
  socket.write(body.pieces.at(-1) ?? "", body.onWritten);
  socket.uncork();
}
