import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/** Writes one response: complete, as server-sent events, or as raw bytes. */
export class EndpointReply {
  readonly #response: ServerResponse;
  #isCut = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  /** Whether `cut`, not the caller, closed the connection. */
  get wasCut(): boolean {
    return this.#isCut;
  }

  send(status: number, headers: OutgoingHttpHeaders, body: string | Uint8Array): void {
    this.#response.writeHead(status, headers);
    this.#response.end(body);
  }

  json(status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
    this.send(status, { "content-type": "application/json", ...headers }, JSON.stringify(body));
  }

  /** Sends the status and headers of a stream at once, by default those of server-sent events. */
  start(status = 200, headers: OutgoingHttpHeaders = {}): void {
    const streamHeaders = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
    this.#response.writeHead(status, { ...streamHeaders, ...headers });
    this.#response.flushHeaders();
  }

  /** Writes raw bytes. Resolves when the socket can take more, or when the caller is gone. */
  write(bytes: string | Uint8Array): Promise<void> {
    const response = this.#response;
    if (response.destroyed || response.write(bytes)) return Promise.resolve();
    return new Promise((resolve) => {
      const settle = () => {
        response.off("drain", settle);
        response.off("close", settle);
        resolve();
      };
      response.on("drain", settle);
      response.on("close", settle);
    });
  }

  /** Writes one event: an object as JSON, text such as `[DONE]` unchanged. */
  event(data: object | string): Promise<void> {
    return this.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.#response.end();
  }

  /** Destroys the connection, so that the caller sees a broken response. */
  cut(): void {
    this.#isCut = true;
    this.#response.socket?.destroy();
  }
}
