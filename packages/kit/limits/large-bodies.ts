import type { IncomingMessage, ServerResponse } from "node:http";
import { limits } from "@agent-backends/contract";

interface Waiting {
  client: string;
  bytes: number;
  enter(): void;
}

/**
 * Limits the memory of requests with large bodies, which use several times their size until they are answered. Bodies beyond a client's
 * share, or beyond the total, are not read until others have ended.
 */
export class LargeBodies {
  readonly #bytesByClient = new Map<string, number>();
  #totalBytes = 0;
  readonly #waiting = new Set<Waiting>();

  /**
   * Reserves memory until the response is closed.
   *
   * @returns undefined if memory is available at once
   */
  enter(client: string, bytes: number, response: ServerResponse): Promise<void> | undefined {
    if (this.#hasRoom(client, bytes)) {
      this.#take(client, bytes, response);
      return undefined;
    }
    return new Promise((resolve) => {
      const leave = () => this.#waiting.delete(waiting);
      const waiting: Waiting = {
        client,
        bytes,
        enter: () => {
          leave();
          response.off("close", leave);
          this.#take(client, bytes, response);
          resolve();
        },
      };
      this.#waiting.add(waiting);
      response.once("close", leave);
    });
  }

  #hasRoom(client: string, bytes: number): boolean {
    const ofClient = this.#bytesByClient.get(client) ?? 0;
    return ofClient + bytes <= limits.largeBodiesBytesPerClient && this.#totalBytes + bytes <= limits.largeBodiesBytes;
  }

  #take(client: string, bytes: number, response: ServerResponse): void {
    // A closed response emits no more "close" events.
    if (response.closed) return;
    this.#add(client, bytes);
    response.once("close", () => {
      this.#add(client, -bytes);
      for (const waiting of this.#waiting) if (this.#hasRoom(waiting.client, waiting.bytes)) waiting.enter();
    });
  }

  #add(client: string, bytes: number): void {
    this.#totalBytes += bytes;
    const ofClient = (this.#bytesByClient.get(client) ?? 0) + bytes;
    if (ofClient > 0) this.#bytesByClient.set(client, ofClient);
    else this.#bytesByClient.delete(client);
  }
}

/** What a request's body waits for after admission. Each method returns undefined if the body needn't wait. */
interface BodyAdmission {
  /** Reserves memory for a large body. */
  takeRoom(bytes: number): Promise<void> | undefined;
  /** Waits for a turn of the event loop after a body that arrived later than its head. */
  takeTurn(): Promise<void> | undefined;
}

const admission = Symbol("body admission");
type Admitted = IncomingMessage & { [admission]?: BodyAdmission };

export function rememberBodyAdmission(request: IncomingMessage, itsAdmission: BodyAdmission): void {
  (request as Admitted)[admission] = itsAdmission;
}

/** Undefined if the route has no guard. */
export const getBodyAdmission = (request: IncomingMessage): BodyAdmission | undefined =>
  (request as Admitted)[admission];
