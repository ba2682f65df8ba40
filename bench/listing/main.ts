// node bench/listing/main.ts [--pairs 5] [--seconds 3] [--gap-ms 20]
import { parseArgs } from "node:util";
import { startSampleSite } from "@agent-backends/listing/sample-site";
import type { Server } from "../harness/processes.ts";
import { cpuMicros } from "../harness/processes.ts";
import { startProvider } from "../harness/provider.ts";
import type { Metrics, Values } from "../harness/recording.ts";
import { describeRun, record, showMeasured, summarisePairs } from "../harness/recording.ts";
import { measureRequests, startBare, startListing } from "./servers.ts";
import { measureStreams } from "./streams.ts";

const connections = 64;
/** Time until the code is compiled. A route with more code takes longer. */
const warmUpSeconds = 5;
const streamCount = 200;
const tokens = 100;
const rampMs = 500;

const whole = { pairs: 5, seconds: 3 };

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: String(whole.pairs) },
    seconds: { type: "string", default: String(whole.seconds) },
    /** Time between two words of a stream, in milliseconds. */
    "gap-ms": { type: "string", default: "20" },
  },
});
const pairs = Number(values.pairs);
const seconds = Number(values.seconds);
const streams = { count: streamCount, tokens, gapMs: Number(values["gap-ms"]), rampMs };
if (!(pairs >= 1) || !(seconds > 0) || !(streams.gapMs >= 1)) {
  throw new RangeError("--pairs, --seconds and --gap-ms take numbers from 1 on");
}

const site = await startSampleSite();
const provider = await startProvider();
const listing = await startListing(site, `http://127.0.0.1:${provider.port}/v1`);
const payload = await (
  await fetch(`${listing.baseUrl}/tools/top`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"limit":5}',
  })
).text();
const bare = await startBare(payload);

/** Measures requests, and the server's CPU time per request or word. */
async function requests(server: Server) {
  const before = cpuMicros(server.pid);
  const perSecond = await measureRequests(server.port, connections, seconds);
  return { perSecond, cpu: (cpuMicros(server.pid) - before) / (perSecond * seconds) };
}
async function throughListing() {
  const before = cpuMicros(listing.pid);
  const { words, ...delays } = await measureStreams(listing.port, "/agent", streams);
  return { ...delays, cpu: (cpuMicros(listing.pid) - before) / words };
}

const rate = { unit: "requests/s", digits: 0 };
const delay = { unit: "ms", digits: 2 };
const cpu = { unit: "µs", digits: 1 };
const metrics: Metrics = {
  requestsPerSecond: {
    title: `cached \`/tools/top\`, ${connections} connections, ${payload.length} bytes`,
    ...rate,
    goal: { atLeast: 15_000 },
  },
  bareRequestsPerSecond: { title: "the same payload from a bare fastify route", ...rate },
  shareOfBare: { title: "share of the bare route, within each pair", unit: "", digits: 2, goal: { atLeast: 0.9 } },
  cpuPerRequestMicros: { title: "CPU time of a request", ...cpu },
  bareCpuPerRequestMicros: { title: "of one to the bare route", ...cpu },
  addedP50Ms: {
    title: `added to each word, p50; ${streamCount} \`/agent\` streams, a word every ${streams.gapMs} ms each`,
    ...delay,
  },
  addedP99Ms: { title: "the same, p99", ...delay, goal: { atMost: 3 } },
  cpuPerWordMicros: { title: "CPU time of a word, with its share of its stream's beginning", ...cpu },
};

const measured: Values[] = [];
for (const { port } of [listing, bare]) await measureRequests(port, connections, warmUpSeconds);
await throughListing();
for (let pair = 0; pair < pairs; pair++) {
  // Alternate the order, so that other activity on the machine affects both.
  const first = pair % 2 === 0;
  const one = await requests(first ? listing : bare);
  const other = await requests(first ? bare : listing);
  const direct = await measureStreams(provider.port, "/v1/chat/completions", streams);
  const through = await throughListing();
  const [own, plain] = first ? [one, other] : [other, one];
  const values = {
    requestsPerSecond: own.perSecond,
    bareRequestsPerSecond: plain.perSecond,
    shareOfBare: own.perSecond / plain.perSecond,
    cpuPerRequestMicros: own.cpu,
    bareCpuPerRequestMicros: plain.cpu,
    addedP50Ms: through.p50 - direct.p50,
    addedP99Ms: through.p99 - direct.p99,
    cpuPerWordMicros: through.cpu,
  };
  measured.push(values);
  process.stdout.write(`${JSON.stringify(values)}\n`);
}
await Promise.all([listing.close(), bare.close(), provider.close(), site.close()]);

const results = summarisePairs(describeRun(pairs), metrics, measured);
const table = showMeasured(metrics, results);
process.stdout.write(`${table}\n`);
// A short run isn't recorded.
if (pairs >= whole.pairs && seconds >= whole.seconds) record("listing", results, table);
