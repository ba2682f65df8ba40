import type { RelayProfile } from "@agent-backends/contract";
import { limits } from "@agent-backends/contract";
import type { Logger } from "../../logger.ts";
import type { Redis } from "../../redis/index.ts";
import { connectRedis } from "../../redis/index.ts";
import type { RunControl, RunLog, RunWriter, StoredRun } from "../run-log.ts";
import { describeTooManyRuns, RunLogUnavailableError, RunLostError } from "../run-log.ts";
import { AppendQueue } from "./append-queue.ts";
import { entryPart, parseEntry, toStream } from "./entries.ts";
import { endBrokenOff, RedisReader } from "./redis-reader.ts";
import type { WriterLog } from "./redis-writer.ts";
import { RedisWriter } from "./redis-writer.ts";
import type { Order } from "./replica-inbox.ts";
import { ReplicaInbox } from "./replica-inbox.ts";

/**
 * Begins a stream, unless it exists. Returns whether it did. KEYS: the stream. ARGV: entry id, replica, profile, the longest time for which
 * the stream can be needed, in milliseconds.
 */
const beginStream = `
if redis.call("EXISTS", KEYS[1]) == 1 then return 0 end
redis.call("XADD", KEYS[1], ARGV[1], "replica", ARGV[2], "profile", ARGV[3])
redis.call("PEXPIRE", KEYS[1], ARGV[4])
return 1`;

/**
 * Replaces a run's stream with the reason why it is lost, unless another replica has started a run with this id since Redis lost it. KEYS:
 * the stream. ARGV: replica, entry id, reason, retention in milliseconds.
 */
const markLost = `
local first = redis.call("XRANGE", KEYS[1], "-", "+", "COUNT", 1)[1]
if first and first[2][1] == "replica" and first[2][2] ~= ARGV[1] then return 0 end
redis.call("DEL", KEYS[1])
redis.call("XADD", KEYS[1], ARGV[2], "lost", ARGV[3])
return redis.call("PEXPIRE", KEYS[1], ARGV[4])`;

/** Stores runs in Redis, one stream for each, so that every replica can resume and stop them. */
export class RedisRunLog implements RunLog, WriterLog {
  readonly counts = { appended: 0, lost: 0 };
  readonly #retentionMs: number;
  readonly #runMs: number;
  readonly #commands: Promise<Redis>;
  readonly #queue: Promise<AppendQueue>;
  readonly #inbox: ReplicaInbox;
  /** Running runs of this replica. */
  readonly #open = new Map<string, RedisWriter>();
  /** Lost runs of this replica that Redis doesn't know about yet. */
  readonly #unreportedLosses = new Map<string, { entryId: string; reason: string }>();

  /**
   * @param options.replica unique name of this process
   * @param options.runMs maximum duration of a run
   * @param options.leaseMs a replica that is silent for this long counts as dead
   */
  constructor(options: {
    url: string;
    logger: Logger;
    replica: string;
    retentionMs: number;
    runMs: number;
    leaseMs?: number;
  }) {
    const { url, logger, replica, leaseMs = limits.runLeaseMs } = options;
    this.#retentionMs = options.retentionMs;
    this.#runMs = options.runMs;
    const connect = (timeoutMs: number, log = logger) =>
      connectRedis({ url, logger: log, variable: "RUNS_URL", whileDown: "runs can't be resumed", timeoutMs });
    this.#commands = connect(limits.runLogMs);
    this.#queue = this.#commands.then((redis) => new AppendQueue(redis, this.#retentionMs));
    void this.#commands.then((redis) => redis.on("ready", () => this.#reportLostRuns(redis)));
    this.#inbox = new ReplicaInbox({
      replica,
      leaseMs,
      commands: this.#commands,
      // The connection for commands logs an outage.
      connect: (timeoutMs) => connect(timeoutMs, logger.child({}, { level: "silent" })),
      onOrder: (order) => this.#follow(order),
      onLeaseLost: () => {
        for (const writer of this.#open.values()) writer.fail();
      },
    });
  }

  async create(name: string, profile: RelayProfile, control: RunControl): Promise<RunWriter | undefined> {
    const redis = await this.#connected();
    const stream = toStream(name);
    const { replica } = this.#inbox;
    const [entryId, keepMs] = [`0-${entryPart.start}`, this.#runMs + this.#retentionMs];
    const isNew = await available(redis.eval(beginStream, 1, stream, entryId, replica, profile, keepMs));
    if (isNew === 0) return undefined;
    this.#unreportedLosses.delete(stream);
    const writer = new RedisWriter(await this.#queue, stream, control, this);
    this.#open.set(stream, writer);
    if (this.#open.size > limits.runLogRuns) writer.discard(describeTooManyRuns());
    return writer;
  }

  async find(name: string): Promise<StoredRun | undefined> {
    const stream = toStream(name);
    const untold = this.#unreportedLosses.get(stream);
    if (untold) throw new RunLostError(untold.reason);
    const redis = await this.#connected();
    const [[first], [last]] = await available(
      Promise.all([
        redis.xrangeBuffer(stream, "-", "+", "COUNT", 1),
        redis.xrevrangeBuffer(stream, "+", "-", "COUNT", 1),
      ]),
    );
    if (first === undefined || last === undefined) return undefined;
    const { replica, profile } = parseEntry(first);
    const { lastId, hasEnded, lostReason } = parseEntry(last);
    if (lostReason !== undefined) throw new RunLostError(lostReason);
    const run = { redis, stream, replica, profile, retentionMs: this.#retentionMs, inbox: this.#inbox };
    return {
      profile,
      hasEnded,
      lastId,
      openReader: (after) => new RedisReader(run, after, hasEnded),
      stop: async () => {
        if (hasEnded) return;
        const isHeard = await available(this.#inbox.send(replica, { stream, kind: "stop" }));
        if (!isHeard) await available(endBrokenOff(run));
      },
    };
  }

  onAppended(): void {
    this.counts.appended += 1;
  }

  onEnd(stream: string): void {
    this.#open.delete(stream);
  }

  onLost(stream: string, entryId: string, reason: string): void {
    this.counts.lost += 1;
    this.#open.delete(stream);
    this.#unreportedLosses.set(stream, { entryId, reason });
    const [earliest] = this.#unreportedLosses.keys();
    if (this.#unreportedLosses.size > limits.runLogRuns && earliest) this.#unreportedLosses.delete(earliest);
    void this.#commands.then((redis) => this.#reportLostRuns(redis));
  }

  async close(): Promise<void> {
    const redis = await this.#commands;
    const allIdle = () => Promise.all([...this.#open.values()].map(({ idle }) => idle));
    // The last events of a run may wait for those that are being stored, so wait twice.
    await allIdle().then(allIdle);
    await this.#inbox.close();
    redis.disconnect();
  }

  /** Waits for the connection: requests may arrive before Redis has answered for the first time. */
  async #connected(): Promise<Redis> {
    await this.#inbox.ready;
    return await this.#commands;
  }

  #follow({ stream, kind, reader = "", forMs = 0 }: Order): void {
    const control = this.#open.get(stream)?.control;
    if (kind === "stop") control?.stop();
    else if (kind === "watch") control?.watch(reader, forMs);
    else if (kind === "unwatch") control?.unwatch(reader);
  }

  #reportLostRuns(redis: Redis): void {
    for (const [stream, { entryId, reason }] of this.#unreportedLosses) {
      redis.eval(markLost, 1, stream, this.#inbox.replica, entryId, reason, this.#retentionMs).then(
        () => this.#unreportedLosses.delete(stream),
        // Redis is down. It is updated when it is back.
        () => undefined,
      );
    }
  }
}

async function available<Result>(reply: Promise<Result>): Promise<Result> {
  try {
    return await reply;
  } catch (error) {
    throw new RunLogUnavailableError(error);
  }
}
