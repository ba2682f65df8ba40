import type { ChildProcess, SendHandle } from "node:child_process";
import type { Worker } from "node:cluster";
import cluster from "node:cluster";

/** The relevant fields of node:cluster's internal messages. */
interface ClusterMessage {
  cmd?: string;
  act?: string;
  seq?: number;
  ack?: number;
}

/**
 * Gives a connection to another worker if the worker that it was sent to dies before accepting it. node:cluster forgets such a connection:
 * it stays open, and nobody responds. A connection that a worker refuses goes to another one, so this simulates a refusal.
 */
export function handBackConnections(worker: Worker): void {
  const child = worker.process;
  const unacceptedHandles = new Map<number, SendHandle | undefined>();
  const send = child.send as (message: unknown, handle?: SendHandle, ...others: unknown[]) => boolean;
  child.send = ((message: unknown, handle?: SendHandle, ...others: unknown[]) => {
    const { cmd, act, seq } = message as ClusterMessage;
    if (cmd === "NODE_CLUSTER" && act === "newconn" && seq !== undefined) unacceptedHandles.set(seq, handle);
    return send.call(child, message, handle, ...others);
  }) as ChildProcess["send"];
  const internalMessage = "internalMessage" as "message";
  child.on(internalMessage, (message) => {
    const { ack } = message as ClusterMessage;
    if (ack !== undefined) unacceptedHandles.delete(ack);
  });
  // The worker has ended, and all its messages have been read.
  child.once("close", () => {
    // While a connection is not yet accepted, node:cluster doesn't notice that the worker is gone, and would send it the next connection.
    worker.disconnect();
    const isLast = !Object.values(cluster.workers ?? {}).some((other) => other?.isConnected());
    for (const [ack, handle] of unacceptedHandles) {
      if (isLast) (handle as { close?(): void } | undefined)?.close?.();
      else child.emit(internalMessage, { cmd: "NODE_CLUSTER", ack, accepted: false }, undefined as never);
    }
  });
}
