import type { ServerResponse } from "node:http";

export interface Heartbeat {
  /** Says that something was written just now. */
  touch(): void;
  stop(): void;
}

/** Calls `beat` whenever a stream has been silent for `intervalMs`, until its response ends, so that proxies keep it open. */
export function startHeartbeat(response: ServerResponse, beat: () => void, intervalMs: number): Heartbeat {
  let lastWrite = performance.now();
  let timer: NodeJS.Timeout;
  // One timer that is set again when it fires, and not at each write: writes are far more frequent.
  const wait = (delayMs: number) => {
    timer = setTimeout(() => {
      const silentMs = performance.now() - lastWrite;
      if (silentMs < intervalMs) return wait(intervalMs - silentMs);
      if (!response.writableEnded && !response.destroyed) beat();
      lastWrite = performance.now();
      wait(intervalMs);
    }, Math.ceil(delayMs));
    timer.unref();
  };
  wait(intervalMs);
  response.once("close", () => clearTimeout(timer));
  return {
    touch: () => {
      lastWrite = performance.now();
    },
    stop: () => clearTimeout(timer),
  };
}
