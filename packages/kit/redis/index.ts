import type { Redis } from "ioredis";
import type { Logger } from "../logger.ts";

export type { Redis };

/** Timeout for connecting, and for the reply to a command. */
const defaultTimeoutMs = 1_000;
const initialReconnectDelayMs = 200;
const maxReconnectDelayMs = 5_000;

/**
 * Error codes with which a reachable server refuses writes: it is a replica, its memory is full, the user lacks the permission, or its disk
 * is full.
 */
const refusedWrite = /\b(READONLY|OOM|NOPERM|MISCONF)\b/;
const refusedWriteLogIntervalMs = 60_000;
/** After a failover the URL leads to the new primary, often some time after the old primary has become a replica. */
const replicaWrite = /\bREADONLY\b/;
const replicaReconnectIntervalMs = 5_000;

interface RedisOptions {
  /** `redis://…` or `rediss://…` */
  url: string;
  /** The variable that holds the URL, for the log. */
  variable: string;
  /** The behaviour of this process while Redis is down, for the log: "this process counts requests alone". */
  whileDown: string;
  logger: Logger;
  /** A blocking command must return sooner than this. */
  timeoutMs?: number;
}

/**
 * Connects to Redis, and reconnects after each loss and when the server has become a replica. While Redis is down, commands reject at once
 * instead of being queued. The log has one line when Redis is lost and one when it is back, and one per minute while it refuses to write.
 * The caller disconnects it on close. ioredis is imported only here.
 */
export async function connectRedis(options: RedisOptions): Promise<Redis> {
  const { variable, whileDown, logger, timeoutMs = defaultTimeoutMs } = options;
  const { Redis } = await import("ioredis");
  let nextRefusalLogAt = 0;
  let nextReplicaReconnectAt = 0;
  let isLeavingReplica = false;
  const redis = new Redis(options.url, {
    // Only this callback sees every error reply of the server.
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
  /** The server has closed the connection. The next attempt shows the reason, for example that it now requires a password. */
  let isCut = false;
  const lost = (err?: Error) => {
    if (isDown) return;
    isDown = true;
    logger.error({ err }, `${variable} does not answer; until it does, ${whileDown}`);
  };
  redis.on("error", (err: Error & { command?: { name: string } }) => {
    lost(err);
    // Otherwise the connection would continue with database 0, which may belong to others, instead of the database in the URL.
    if (err.command?.name === "select") redis.disconnect(true);
  });
  redis.on("reconnecting", () => {
    if (isCut) lost();
    isCut = !isLeavingReplica;
    isLeavingReplica = false;
  });
  redis.on("ready", () => {
    // A server that closes the connection and is back at once causes no error event.
    if (isCut) lost();
    isCut = false;
    if (isDown) logger.info(`${variable} answers again`);
    isDown = false;
  });
  return redis;
}
