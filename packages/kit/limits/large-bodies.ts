import type { IncomingMessage, ServerResponse } from "node:http";
import { limits } from "@agent-backends/contract";

interface Waiting {
  client: string;
  bytes: number;
  enter(): void;
}

/**
 * Bounds the memory of requests with large bodies, which costs several times their bytes until they are answered. Those beyond
 * a client's share, or that of all, are not read until others have ended.
 */
export class LargeBodies {
  readonly #heldOf = new Map<string, number>();
  #held = 0;
  readonly #waiting = new Set<Waiting>();

  /**
   * Takes room until the response is closed.
   *
   * @returns undefined when there is room at once
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
    const ofClient = this.#heldOf.get(client) ?? 0;
    return ofClient + bytes <= limits.largeBodiesBytesPerClient && this.#held + bytes <= limits.largeBodiesBytes;
  }

  #take(client: string, bytes: number, response: ServerResponse): void {
    // Its end would not be told any more.
    if (response.closed) return;
    this.#add(client, bytes);
    response.once("close", () => {
      this.#add(client, -bytes);
      for (const waiting of this.#waiting) if (this.#hasRoom(waiting.client, waiting.bytes)) waiting.enter();
    });
  }

  #add(client: string, bytes: number): void {
    this.#held += bytes;
    const ofClient = (this.#heldOf.get(client) ?? 0) + bytes;
    if (ofClient > 0) this.#heldOf.set(client, ofClient);
    else this.#heldOf.delete(client);
  }
}

/** What the body of an admitted request waits for. Each returns undefined when it needn't wait. */
interface BodyAdmission {
  /** Takes room for a large body. */
  takeRoom(bytes: number): Promise<void> | undefined;
  /** Takes a turn of the event loop after a body that came later than its head. */
  takeTurn(): Promise<void> | undefined;
}

const admission = Symbol("body admission");
type Admitted = IncomingMessage & { [admission]?: BodyAdmission };

export function rememberBodyAdmission(request: IncomingMessage, itsAdmission: BodyAdmission): void {
  (request as Admitted)[admission] = itsAdmission;
}

/** Undefined where no guard stands before the route. */
export const getBodyAdmission = (request: IncomingMessage): BodyAdmission | undefined =>
  (request as Admitted)[admission];
