import type { Redis } from "../../redis/index.ts";
import { withRoom } from "../with-room.ts";
import { entryPart } from "./entries.ts";

/**
 * Appends events to the streams of several runs. Returns the numbers of the runs for which that failed. NOMKSTREAM prevents a stream that
 * Redis has lost from starting again in the middle.
 * KEYS: the streams. ARGV: for each stream the entry id, the length of its events and, if they are its last ones, the retention of the
 * stream in milliseconds, or else 0. Then the events of all streams.
 */
const appendEvents = `
local failed, run, from = {}, 0, 1
for id, length, keepMs in ARGV[1]:gmatch("(%S+) (%d+) (%d+)%s") do
  run = run + 1
  local key, events, reply = KEYS[run], ARGV[2]:sub(from, from + length - 1), nil
  from = from + length
  if keepMs == "0" then
    reply = redis.pcall("XADD", key, "NOMKSTREAM", id, "events", events)
  else
    reply = redis.pcall("XADD", key, "NOMKSTREAM", id, "events", events, "end", "1")
    redis.pcall("PEXPIRE", key, keepMs)
  end
  if type(reply) ~= "string" then failed[#failed + 1] = run end
end
return failed`;

const initialBytes = 64 * 1_024;
/** Interval between two commands under load. It adds at most this much latency to a token, and is the finest resolution of timers. */
const intervalMs = 1;
/** After a pause, this many commands may be sent without the interval: a run begins with several. */
const maxBurstCommands = 4;

/** The writer whose events are appended. */
interface Appender {
  readonly stream: string;
  onReply(isStored: boolean, isLast: boolean): void;
}

interface Append {
  appender: Appender;
  isLast: boolean;
}

/**
 * Appends the events of all runs of a replica. Events that arrive within a millisecond, or while Redis is busy with others, are sent
 * together. One command per event would cost more than all other work on a token, and the memory that the Redis client needs for it makes
 * the garbage collector scan the whole heap every few seconds.
 */
export class AppendQueue {
  readonly #redis: Redis;
  readonly #retentionMs: number;
  /** The waiting events, concatenated. */
  #bytes: Buffer = Buffer.allocUnsafeSlow(initialBytes);
  #length = 0;
  /** The script's argument for each of `#appends`. */
  #entries = "";
  #appends: Append[] = [];
  #batch = Promise.withResolvers<void>();
  #isSending = false;
  /** End of the intervals of all commands sent so far, in the time of `performance.now()`. */
  #intervalsEndAt = 0;

  constructor(redis: Redis, retentionMs: number) {
    this.#redis = redis;
    this.#retentionMs = retentionMs;
  }

  /** Resolves once Redis has answered. By then the appender knows whether the events are stored. */
  append(
    appender: Appender,
    { bytes, lastId, isLast }: { bytes: Buffer; lastId: number; isLast: boolean },
  ): Promise<void> {
    this.#bytes = withRoom(this.#bytes, this.#length, bytes.length);
    bytes.copy(this.#bytes, this.#length);
    this.#length += bytes.length;
    this.#entries += `${lastId}-${entryPart.events} ${bytes.length} ${isLast ? this.#retentionMs : 0}\n`;
    this.#appends.push({ appender, isLast });
    const { promise } = this.#batch;
    this.#sendSoon();
    return promise;
  }

  /**
   * Sends the waiting events at the end of this event loop turn, so that the events of all sockets read in this turn are included. Under
   * load it sends them later, together with those that arrive meanwhile.
   */
  #sendSoon(): void {
    if (this.#isSending || this.#appends.length === 0) return;
    this.#isSending = true;
    if (this.#intervalsEndAt - performance.now() <= (maxBurstCommands - 1) * intervalMs)
      setImmediate(() => void this.#send());
    else setTimeout(() => void this.#send(), intervalMs);
  }

  async #send(): Promise<void> {
    this.#intervalsEndAt = Math.max(this.#intervalsEndAt, performance.now()) + intervalMs;
    const [appends, batch, entries] = [this.#appends, this.#batch, this.#entries];
    // The client copies the bytes before the call returns.
    const reply = this.#redis.eval(
      appendEvents,
      appends.length,
      ...appends.map(({ appender }) => appender.stream),
      entries,
      this.#bytes.subarray(0, this.#length),
    ) as Promise<number[]>;
    this.#appends = [];
    this.#batch = Promise.withResolvers();
    this.#entries = "";
    this.#length = 0;
    if (this.#bytes.length > initialBytes * 16) this.#bytes = Buffer.allocUnsafeSlow(initialBytes);
    const failed = await reply.then(
      (numbers) => new Set(numbers),
      // Redis is down, so none of these events are stored.
      () => undefined,
    );
    for (const [index, { appender, isLast }] of appends.entries()) {
      appender.onReply(failed?.has(index + 1) === false, isLast);
    }
    batch.resolve();
    this.#isSending = false;
    this.#sendSoon();
  }
}
