import type { Redis } from "ioredis";
import type { Logger } from "../logger.ts";

export type { Redis };

/** Time to connect, and for the response to a command. */
const defaultTimeoutMs = 1_000;
const initialReconnectDelayMs = 200;
const maxReconnectDelayMs = 5_000;

/** By what a server that answers refuses to write: a replica, a full memory, a user without the right, a full disk. */
const refusedWrite = /\b(READONLY|OOM|NOPERM|MISCONF)\b/;
const refusedWriteLogIntervalMs = 60_000;
/** After a failover the address leads to the new primary, often some time after the old one has become a replica. */
const replicaWrite = /\bREADONLY\b/;
const replicaReconnectIntervalMs = 5_000;

interface RedisOptions {
  /** `redis://…` or `rediss://…` */
  url: string;
  /** The variable that holds the address, for the log. */
  variable: string;
  /** What the process does while Redis is down, for the log: "this process counts requests alone". */
  whileDown: string;
  logger: Logger;
  /** A blocking command must return sooner than this. */
  timeoutMs?: number;
}

/**
 * Connects to Redis, and again after each loss and when the server has become a replica. While it is down, commands reject at once
 * instead of waiting in a queue. The log has one line when Redis is lost and one when it is back, and one a minute while it refuses
 * to write. The caller disconnects it when it closes. ioredis is loaded only here.
 */
export async function connectRedis(options: RedisOptions): Promise<Redis> {
  const { variable, whileDown, logger, timeoutMs = defaultTimeoutMs } = options;
  const { Redis } = await import("ioredis");
  let nextRefusalLogAt = 0;
  let nextReplicaReconnectAt = 0;
  let isLeavingReplica = false;
  const redis = new Redis(options.url, {
    // The only place that sees every error that the server replies.
    reconnectOnError(err) {
      const now = performance.now();
      if (refusedWrite.test(err.message) && now >= nextRefusalLogAt) {
        nextRefusalLogAt = now + refusedWriteLogIntervalMs;
        logger.error({ err }, `${variable} refuses to write; until it writes, ${whileDown}`);
      }
      if (!replicaWrite.test(err.message) || now < nextReplicaReconnectAt) return false;
      nextReplicaReconnectAt = now + replicaReconnectIntervalMs;
      isLeavingReplica = true;
      return true;
    },
    connectTimeout: timeoutMs,
    // After the first timeout Redis counts as down, so that later commands don't wait.
    socketTimeout: timeoutMs,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: (attempt) => Math.min(attempt * initialReconnectDelayMs, maxReconnectDelayMs),
  });
  let isDown = false;
  /** The server has ended the connection. The next attempt tells why, such as that it wants a password now. */
  let isCut = false;
  const lost = (err?: Error) => {
    if (isDown) return;
    isDown = true;
    logger.error({ err }, `${variable} does not answer; until it does, ${whileDown}`);
  };
  redis.on("error", (err: Error & { command?: { name: string } }) => {
    lost(err);
    // Without the database of its address the connection would go on with database 0, which may belong to others.
    if (err.command?.name === "select") redis.disconnect(true);
  });
  redis.on("reconnecting", () => {
    if (isCut) lost();
    isCut = !isLeavingReplica;
    isLeavingReplica = false;
  });
  redis.on("ready", () => {
    // A server that ends the connection and is back at once causes no error.
    if (isCut) lost();
    isCut = false;
    if (isDown) logger.info(`${variable} answers again`);
    isDown = false;
  });
  return redis;
}
