import type { ServerResponse } from "node:http";

/** Identifies a call as its client does. */
interface CallId {
  /** Id of the client's key. */
  principalId: string;
  /** Distinguishes clients with the same key: each counts its requests from 0. */
  sessionId: string;
  requestId: string | number;
}

/** The running tool calls of this process. A client can cancel its call with a separate request. */
export class RunningCalls {
  readonly #controllers = new Map<string, AbortController>();

  /** @returns a signal that aborts when the client cancels the call before its response ends */
  add(id: CallId, response: ServerResponse): AbortSignal {
    const key = toKey(id);
    const controller = new AbortController();
    this.#controllers.set(key, controller);
    response.once("close", () => {
      if (this.#controllers.get(key) === controller) this.#controllers.delete(key);
    });
    return controller.signal;
  }

  cancel(id: CallId): void {
    this.#controllers.get(toKey(id))?.abort();
  }
}

const toKey = ({ principalId, sessionId, requestId }: CallId): string =>
  JSON.stringify([principalId, sessionId, requestId]);
