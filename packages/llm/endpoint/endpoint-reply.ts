import type { OutgoingHttpHeaders, ServerResponse } from "node:http";

/** Writes one answer of the endpoint: whole, as a stream of server-sent events, or byte by byte. */
export class EndpointReply {
  readonly #response: ServerResponse;
  #cut = false;

  constructor(response: ServerResponse) {
    this.#response = response;
  }

  get started(): boolean {
    return this.#response.headersSent;
  }

  /** Whether the answer was broken off on purpose, so that its end is not the caller's doing. */
  get wasCut(): boolean {
    return this.#cut;
  }

  /** Sends a whole answer. */
  send(status: number, headers: OutgoingHttpHeaders, body: string | Uint8Array): void {
    this.#response.writeHead(status, headers);
    this.#response.end(body);
  }

  json(status: number, body: unknown, headers: OutgoingHttpHeaders = {}): void {
    this.send(status, { "content-type": "application/json", ...headers }, JSON.stringify(body));
  }

  /** Sends the status and headers of a stream at once; by default those of server-sent events. */
  start(status = 200, headers: OutgoingHttpHeaders = {}): void {
    const streamHeaders = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" };
    this.#response.writeHead(status, { ...streamHeaders, ...headers });
    this.#response.flushHeaders();
  }

  /** Writes raw bytes; resolves when the socket can take more or the caller is gone. */
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

  /** Writes one event: an object as JSON, a text such as `[DONE]` as it is. */
  event(data: object | string): Promise<void> {
    return this.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }

  end(): void {
    this.#response.end();
  }

  /** Destroys the connection, so that the caller sees it break off. */
  cut(): void {
    this.#cut = true;
    this.#response.socket?.destroy();
  }
}
