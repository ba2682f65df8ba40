// node bench/listing/main.ts [--pairs 5] [--seconds 3] [--gap-ms 20]
import { mkdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { startSampleSite } from "@agent-backends/listing/sample-site";
import { buildDirectory } from "../relay/paths.ts";
import { freePort } from "../relay/processes.ts";
import { summarise } from "../relay/statistics.ts";
import type { Measurement } from "./report.ts";
import { record, textOf } from "./report.ts";
import { runClient, startBare, startListing } from "./servers.ts";

const connections = 64;
/** Until the code is compiled: a route with more of it takes longer. */
const warmUpSeconds = 5;
const streamCount = 200;
const tokens = 100;

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
const streams = { count: streamCount, tokens, gapMs: Number(values["gap-ms"]) };
if (!(pairs >= 1) || !(seconds > 0) || !(streams.gapMs >= 1)) {
  throw new RangeError("--pairs, --seconds and --gap-ms take numbers from 1 on");
}

mkdirSync(buildDirectory, { recursive: true });
const site = await startSampleSite();
const providerPort = await freePort();
const listing = await startListing(site, providerPort);
const payload = await (
  await fetch(`http://127.0.0.1:${listing.port}/tools/top`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"limit":5}',
  })
).text();
const bare = await startBare(payload);

const requests = async (port: number, time: number) =>
  (await runClient<{ perSecond: number }>(["requests", port, connections, time])).perSecond;
const delays = (port: number, path: string) =>
  runClient<{ p50: number; p99: number }>(
    ["streams", port, path, streams.count, streams.tokens, streams.gapMs],
    providerPort,
  );

const measured: Measurement[] = [];
for (const { port } of [listing, bare]) await requests(port, warmUpSeconds);
await delays(listing.port, "/agent");
for (let pair = 0; pair < pairs; pair++) {
  // The order changes, so that what the machine does meanwhile falls on both.
  const first = pair % 2 === 0;
  const one = await requests(first ? listing.port : bare.port, seconds);
  const other = await requests(first ? bare.port : listing.port, seconds);
  const direct = await delays(0, "/v1/chat/completions");
  const through = await delays(listing.port, "/agent");
  const measurement = {
    listingPerSecond: first ? one : other,
    barePerSecond: first ? other : one,
    directP99: direct.p99,
    throughP99: through.p99,
    directP50: direct.p50,
    throughP50: through.p50,
  };
  measured.push(measurement);
  process.stdout.write(`${JSON.stringify(measurement)}\n`);
}
await Promise.all([listing.close(), bare.close(), site.close()]);

const of = (value: (one: Measurement) => number) => summarise(measured.map(value));
const report = {
  pairs,
  seconds,
  connections,
  streams,
  payloadBytes: payload.length,
  requestsPerSecond: of((one) => one.listingPerSecond),
  bareRequestsPerSecond: of((one) => one.barePerSecond),
  shareOfBare: of((one) => one.listingPerSecond / one.barePerSecond),
  addedP50Ms: of((one) => one.throughP50 - one.directP50),
  addedP99Ms: of((one) => one.throughP99 - one.directP99),
};
process.stdout.write(`${textOf(report)}\n`);
// A quick look is not recorded.
if (pairs >= whole.pairs && seconds >= whole.seconds) record(report);
