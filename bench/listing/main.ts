// node bench/listing/main.ts [--pairs 5] [--seconds 3] [--gap-ms 20]
import { parseArgs } from "node:util";
import { startSampleSite } from "@agent-backends/listing/sample-site";
import type { Server } from "../harness/processes.ts";
import { cpuMicros } from "../harness/processes.ts";
import { startProvider } from "../harness/provider.ts";
import { describeRun, record } from "../harness/recording.ts";
import { summarise } from "../harness/statistics.ts";
import type { Measurement } from "./report.ts";
import { makeText } from "./report.ts";
import { measureRequests, startBare, startListing } from "./servers.ts";
import { measureStreams } from "./streams.ts";

const connections = 64;
/** Until the code is compiled: a route with more of it takes longer. */
const warmUpSeconds = 5;
const streamCount = 200;
const tokens = 100;
const rampMs = 500;

const whole = { pairs: 5, seconds: 3 };

const { values } = parseArgs({
  options: {
    pairs: { type: "string", default: String(whole.pairs) },
    seconds: { type: "string", default: String(whole.seconds) },
    /** Between two words of a stream, in milliseconds. */
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

/** With the CPU time that one request, or one word, takes of the server. */
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

const measured: Measurement[] = [];
for (const { port } of [listing, bare]) await measureRequests(port, connections, warmUpSeconds);
await throughListing();
for (let pair = 0; pair < pairs; pair++) {
  // The order changes, so that what the machine does meanwhile falls on both.
  const first = pair % 2 === 0;
  const one = await requests(first ? listing : bare);
  const other = await requests(first ? bare : listing);
  const direct = await measureStreams(provider.port, "/v1/chat/completions", streams);
  const through = await throughListing();
  const measurement = { listing: first ? one : other, bare: first ? other : one, direct, through };
  measured.push(measurement);
  process.stdout.write(`${JSON.stringify(measurement)}\n`);
}
await Promise.all([listing.close(), bare.close(), provider.close(), site.close()]);

const of = (value: (one: Measurement) => number) => summarise(measured.map(value));
const report = {
  ...describeRun(pairs),
  seconds,
  connections,
  streams,
  payloadBytes: payload.length,
  requestsPerSecond: of(({ listing }) => listing.perSecond),
  bareRequestsPerSecond: of(({ bare }) => bare.perSecond),
  shareOfBare: of(({ listing, bare }) => listing.perSecond / bare.perSecond),
  cpuPerRequestMicros: of(({ listing }) => listing.cpu),
  bareCpuPerRequestMicros: of(({ bare }) => bare.cpu),
  addedP50Ms: of(({ through, direct }) => through.p50 - direct.p50),
  addedP99Ms: of(({ through, direct }) => through.p99 - direct.p99),
  cpuPerWordMicros: of(({ through }) => through.cpu),
};
process.stdout.write(`${makeText(report)}\n`);
// A quick look is not recorded.
if (pairs >= whole.pairs && seconds >= whole.seconds) record("listing", report, makeText(report));
