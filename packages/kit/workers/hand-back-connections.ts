import type { ChildProcess, SendHandle } from "node:child_process";
import type { Worker } from "node:cluster";
import cluster from "node:cluster";

/** Parts of node:cluster's own messages. */
interface ClusterMessage {
  cmd?: string;
  act?: string;
  seq?: number;
  ack?: number;
}

/**
 * Gives a connection to another worker if the one that it was sent to dies before it takes it. node:cluster forgets such a
 * connection: it stays open, and nobody answers. Connections that a worker refuses go to another one, so this makes up a refusal.
 */
export function handBackConnections(worker: Worker): void {
  const child = worker.process;
  const untaken = new Map<number, SendHandle | undefined>();
  const send = child.send as (message: unknown, handle?: SendHandle, ...others: unknown[]) => boolean;
  child.send = ((message: unknown, handle?: SendHandle, ...others: unknown[]) => {
    const { cmd, act, seq } = message as ClusterMessage;
    if (cmd === "NODE_CLUSTER" && act === "newconn" && seq !== undefined) untaken.set(seq, handle);
    return send.call(child, message, handle, ...others);
  }) as ChildProcess["send"];
  const internalMessage = "internalMessage" as "message";
  child.on(internalMessage, (message) => {
    const { ack } = message as ClusterMessage;
    if (ack !== undefined) untaken.delete(ack);
  });
  // It has ended, and everything that it sent was read.
  child.once("close", () => {
    // While a connection is untaken, node:cluster doesn't notice that the worker is gone, and would give it the next one.
    worker.disconnect();
    const isLast = !Object.values(cluster.workers ?? {}).some((other) => other?.isConnected());
    for (const [ack, handle] of untaken) {
      if (isLast) (handle as { close?(): void } | undefined)?.close?.();
      else child.emit(internalMessage, { cmd: "NODE_CLUSTER", ack, accepted: false }, undefined as never);
    }
  });
}
