/**
 * Runs one implementation of the relay for long at half of what a core can do, and says whether its memory grows.
 *
 *   node bench/relay/soak.ts [--minutes 10] [--peer express] [--sample-seconds 10]
 *
 * Beside the paced streams a few clients go in the middle of theirs all the time. Exit code 1 when memory grows.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Sample } from "../harness/memory-samples.ts";
import { readSamples, reportMemory } from "../harness/memory-samples.ts";
import { buildDirectory } from "../harness/paths.ts";
import { startProvider } from "../harness/provider.ts";
import { slope, summarise } from "../harness/statistics.ts";
import { parseNumber } from "./options.ts";
import { megabytes, sumFailures } from "./scenarios/scenario.ts";
import type { Server } from "./server.ts";
import { startServer } from "./server.ts";
import type { Subject } from "./subjects.ts";
import { installPeers, subjects } from "./subjects.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    peer: { type: "string", default: "express" },
    "sample-seconds": { type: "string", default: "10" },
  },
});
const seconds = parseNumber("minutes", values.minutes) * 60;
const sampleSeconds = parseNumber("sample-seconds", values["sample-seconds"]);
const subject = subjects.find(({ name, start }) => name === values.peer && start && name !== "nginx");
if (!subject) throw new Error(`--peer: "${values.peer}" is no server that runs on Node`);

/** Streams of a second each, so that runs begin and end all the time. */
const plan = { tokens: 50, paceMicros: 20_000 };
const calibration = { streams: 100, seconds: 4 };
const halfOfACore = 0.5;

/** The first part of a soak compiles code and fills pools: it says nothing about growth. */
const warmUpShare = 0.2;

/** Growth counts when the trend over the soak is more than this part of the whole, and more than noise. */
const toleratedShare = { rss: 0.1, heapUsed: 0.05, external: 0.1 };
const noiseBytes = 4_000_000;

installPeers();
const samplesFile = join(buildDirectory, "soak.jsonl");
const provider = await startProvider();
// The soak keeps no runs.
const noRedis = 0;
const server = await startServer(watched(subject), provider, noRedis);
const streams = await streamsForHalfLoad(server);
say(`${subject.title}: ${streams} streams of 50 tokens a second for ${seconds / 60} minutes`);

const printer = setInterval(() => say(shown(readSamples(samplesFile).at(-1))), sampleSeconds * 1_000);
const timeoutSeconds = seconds + 60;
const [steady, leaving] = await Promise.all([
  server.load(plan, { concurrency: streams, runs: streams, minSeconds: seconds, rampMs: 1_000, timeoutSeconds }),
  server.load(plan, { concurrency: 5, runs: 5, minSeconds: seconds, closeAfterMs: 300, timeoutSeconds }),
]);
clearInterval(printer);
await server.close();
await provider.close();

const growths = judgeGrowth(readSamples(samplesFile));
say(
  `${steady.completed} runs, ${leaving.completed} clients that left, failures ${JSON.stringify(sumFailures(steady, leaving))}`,
);
for (const { of, medianBytes, bytesPerHour, grows } of growths)
  say(
    `${of}: ${megabytes(medianBytes).toFixed(1)} MB, ${megabytes(bytesPerHour).toFixed(1)} MB an hour: ${grows ? "GROWS" : "no growth"}`,
  );
process.exitCode = growths.some(({ grows }) => grows) ? 1 : 0;

/** The same server, reporting its memory. */
function watched(subject: Subject): Subject {
  return {
    ...subject,
    start(port, providerPort) {
      const launch = subject.start?.(port, providerPort, noRedis) ?? { command: process.execPath, args: [] };
      const { args, environment } = reportMemory(samplesFile, sampleSeconds * 1_000);
      return { ...launch, args: [...args, ...launch.args], environment: { ...launch.environment, ...environment } };
    },
  };
}

/** How many streams keep the server's core busy for half of the time. */
async function streamsForHalfLoad(server: Server): Promise<number> {
  const { streams, seconds } = calibration;
  await server.load(plan, { concurrency: streams, runs: streams, minSeconds: seconds });
  const before = server.cpuMicros();
  const result = await server.load(plan, { concurrency: streams, runs: streams, minSeconds: seconds });
  const busy = (server.cpuMicros() - before) / 1_000_000 / result.seconds;
  return Math.max(1, Math.round((streams * halfOfACore) / busy));
}

function shown(sample: Sample | undefined): string {
  if (!sample) return "no sample yet";
  const { seconds, rss, heapUsed, external } = sample;
  const size = (bytes: number) => `${megabytes(bytes).toFixed(1)} MB`;
  return `${Math.round(seconds)} s: rss ${size(rss)}, heap ${size(heapUsed)}, external ${size(external)}`;
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

interface Growth {
  /** Which memory it is about. */
  of: string;
  medianBytes: number;
  bytesPerHour: number;
  grows: boolean;
}

/** The trend of each kind of memory over the samples, and whether it is growth. */
function judgeGrowth(samples: readonly Sample[]): Growth[] {
  const steady = samples.slice(Math.ceil(samples.length * warmUpShare));
  const duration = (steady.at(-1)?.seconds ?? 0) - (steady[0]?.seconds ?? 0);
  return (["heapUsed", "external", "rss"] as const).map((of) => {
    const bytesPerSecond = slope(steady.map((sample) => ({ x: sample.seconds, y: sample[of] })));
    const medianBytes = summarise(steady.map((sample) => sample[of]))?.median ?? 0;
    const tolerated = Math.max(noiseBytes, medianBytes * toleratedShare[of]);
    return { of, medianBytes, bytesPerHour: bytesPerSecond * 3_600, grows: bytesPerSecond * duration > tolerated };
  });
}
