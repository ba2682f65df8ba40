// Replays recorded provider streams against both relays over real sockets, and compares the resulting events. Events of the other
// profiles are checked with the official clients.
//
//   npm run check:streams -- <folder>
//
// The folder holds pairs: NAME.sse, the provider's bytes, and NAME.json with `expected`, the events in order (or
// `expected_compact`, where deltas of one message or call may be merged). Each stream is sent whole, byte by byte and in
// random pieces. In expected events $THREAD, $RUN, $MSG, $TOOL1, $TOOL2 … stand for any one value, $ANY for anything.
// Exits with 1 if a stream results in other events.
import { readdirSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { RelayProfile } from "@agent-backends/contract";
import { createLogger, listen } from "@agent-backends/kit";
import { startEndpoint } from "@agent-backends/llm";
import { parseSseEvents } from "@agent-backends/testing";
import fc from "fast-check";
import { judge } from "../services/relay/conformance/support/judge.ts";
import { requireArgument } from "./json-lines.ts";

type Event = { type: string } & Record<string, unknown>;
interface Sidecar {
  expected?: Event[];
  expected_compact?: Event[];
  expected_alt?: Event[];
  ambiguous?: boolean;
}

const folder = requireArgument("npm run check:streams -- <folder of NAME.sse and NAME.json>");
/** Sizes of random pieces. They are the same in each run, so that a failing replay can be repeated. */
const sizes = fc.sample(fc.integer({ min: 1, max: 2_000 }), { seed: 20_261_121, numRuns: 500 });
const ways: Record<string, (bytes: Buffer) => Generator<Buffer>> = {
  *whole(bytes) {
    yield bytes;
  },
  *bytes(bytes) {
    for (let at = 0; at < bytes.length; at += 1) yield bytes.subarray(at, at + 1);
  },
  *random(bytes) {
    for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
      const end = at + (sizes[piece % sizes.length] ?? 1);
      yield bytes.subarray(at, end);
      at = end;
    }
  },
};

const runStarted = { type: "RUN_STARTED", threadId: "$ANY", runId: "$ANY" };
const runFinished = { type: "RUN_FINISHED", threadId: "$ANY", runId: "$ANY" };

let playing: { bytes: Buffer; way: string } = { bytes: Buffer.alloc(0), way: "whole" };
const provider = await startEndpoint(async (_request, reply) => {
  reply.start();
  let written = 0;
  for (const piece of ways[playing.way]?.(playing.bytes) ?? []) {
    await reply.write(piece);
    // Now and then, let the pieces so far be sent, so that reads also end in the middle of events.
    written += 1;
    if (written % 16 === 0 || playing.way === "random") await new Promise(setImmediate);
  }
  reply.end();
});

const relays = await Promise.all([startRelay("express"), startRelay("nest")]);
const names = readdirSync(folder)
  .filter((file) => file.endsWith(".sse"))
  .map((file) => file.slice(0, -".sse".length))
  .sort();

let mismatches = 0;
for (const name of names) {
  const sidecar = JSON.parse(readFileSync(join(folder, `${name}.json`), "utf8")) as Sidecar;
  const bytes = readFileSync(join(folder, `${name}.sse`));
  const cells: string[] = [];
  for (const relay of relays) {
    for (const way of Object.keys(ways)) {
      playing = { bytes, way };
      const problem = compare(await run(relay.url, "contract"), sidecar) ?? (await judgeOthers(relay.url));
      cells.push(`${relay.name} ${way} ${problem ? "FAIL" : "ok"}`);
      if (!problem) continue;
      mismatches += 1;
      process.stderr.write(`${name}, ${relay.name}, ${way}: ${problem}\n`);
    }
  }
  process.stdout.write(`${name.padEnd(64)} ${cells.join(" | ")}\n`);
}
process.stdout.write(
  `${names.length} streams, ${names.length * relays.length * 3} replays, ${mismatches} mismatches\n`,
);
await Promise.all(relays.map((relay) => relay.close()));
await provider.close();
process.exitCode = mismatches === 0 && names.length > 0 ? 0 : 1;

async function startRelay(name: "express" | "nest") {
  const built = new URL("../services/relay/dist/", import.meta.url);
  const { Relay } = await import(new URL("core/relay.js", built).href);
  const logger = createLogger(name, "silent");
  const relay = new Relay({ apiKey: "replay", baseUrl: provider.baseUrl, logger });
  const front = { version: "0.0.0" };
  const server =
    name === "express"
      ? createServer((await import(new URL("express/app.js", built).href)).createExpressApp(relay, front))
      : (await (await import(new URL("nest/app.js", built).href)).createNestApp(relay, front)).getHttpServer();
  const url = await listen(server, { host: "127.0.0.1", port: 0 });
  return {
    name,
    url,
    async close() {
      server.close();
      server.closeAllConnections();
      await relay.close();
    },
  };
}

async function run(url: string, profile: RelayProfile): Promise<Event[]> {
  const response = await fetch(`${url}/agent?profile=${profile}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Go on." }] }),
  });
  return parseSseEvents<Event>(await response.text());
}

/** Returns what an official client rejects, or undefined. */
async function judgeOthers(url: string): Promise<string | undefined> {
  for (const profile of ["ag-ui", "ag-ui-0"] as const) {
    try {
      await judge(await run(url, profile), profile);
    } catch (error) {
      return `in the profile ${profile}: ${error instanceof Error ? error.message : String(error)}`;
    }
  }
  return undefined;
}

/** Returns the difference, or undefined. */
function compare(events: Event[], sidecar: Sidecar): string | undefined {
  const { expected, expected_compact: compacted, expected_alt: alternative } = sidecar;
  const problems = [
    expected ? differs(events, expected) : differs(compact(events), compacted ?? []),
    ...(alternative ? [differs(events, alternative)] : []),
    // If several results are right, any complete run is accepted.
    ...(sidecar.ambiguous ? [differs([events[0], events.at(-1)], [runStarted, runFinished])] : []),
  ];
  return problems.includes(undefined) ? undefined : problems[0];
}

function differs(got: (Event | undefined)[], want: Event[]): string | undefined {
  const values = new Map<string, unknown>();
  for (let at = 0; at < Math.max(got.length, want.length); at += 1) {
    const [one, other] = [got[at], want[at]];
    if (one && other && same(one, other, values)) continue;
    return `event ${at} is ${JSON.stringify(one)}, expected ${JSON.stringify(other)}`;
  }
  return undefined;
}

function same(got: Event, want: Event, values: Map<string, unknown>): boolean {
  if (!isDeepStrictEqual(Object.keys(got).sort(), Object.keys(want).sort())) return false;
  return Object.entries(want).every(([key, value]) => {
    const actual = got[key];
    if (value === "$ANY") return true;
    if (typeof value !== "string" || !/^\$(THREAD|RUN|MSG|TOOL\d*)$/.test(value))
      return isDeepStrictEqual(actual, value);
    if (!values.has(value)) values.set(value, actual);
    return typeof actual === "string" && values.get(value) === actual;
  });
}

function compact(events: Event[]): Event[] {
  const merged: Event[] = [];
  for (const event of events) {
    const last = merged.at(-1);
    const mergeable = event.type === "TEXT_MESSAGE_CONTENT" || event.type === "TOOL_CALL_ARGS";
    if (
      mergeable &&
      last?.type === event.type &&
      last.messageId === event.messageId &&
      last.toolCallId === event.toolCallId
    ) {
      last.delta = `${last.delta}${event.delta}`;
    } else merged.push({ ...event });
  }
  return merged;
}
