// Measures the knowledge service: node bench/knowledge/main.ts [--scenarios ingest,search-500,…] [--pairs 5] [--quick]
import type { Run } from "../harness/recording.ts";
import { describeRun, goalTable, readResults, record, sayRun } from "../harness/recording.ts";
import type { Summary } from "../harness/statistics.ts";
import { summarise } from "../harness/statistics.ts";
import { readOptions } from "./options.ts";
import { scenarios } from "./scenarios/index.ts";
import type { Values } from "./scenarios/scenario.ts";
import { startProvider } from "./servers.ts";

/** One scenario's pairs, in one table. */
interface Measured extends Run {
  metrics: Record<string, Summary | undefined>;
}

const pinning = "nothing is pinned to a core";
const options = readOptions(process.argv.slice(2), Object.keys(scenarios));
const provider = await startProvider();
for (const name of options.scenarios) {
  const values: Values[] = [];
  await scenarios[name]?.measure(options, provider, (pair) => {
    values.push(pair);
    process.stdout.write(`${name} ${JSON.stringify(pair)}\n`);
  });
  report(name, values);
}
await provider.close();

/** Prints a scenario's table; of a whole run, puts it in the place of the recorded one. */
function report(name: string, values: readonly Values[]): void {
  const metrics = Object.keys(scenarios[name]?.metrics ?? {});
  const measured: Measured = {
    ...describeRun(options.pairs, { pinning }),
    metrics: Object.fromEntries(metrics.map((metric) => [metric, summarise(values.map((one) => one[metric]))])),
  };
  process.stdout.write(`${section(name, measured)}\n`);
  if (!options.isWhole) return;
  const recorded = { ...(readResults("knowledge") as Record<string, Measured> | undefined), [name]: measured };
  const sections = Object.keys(scenarios).flatMap((known) =>
    recorded[known] ? [section(known, recorded[known])] : [],
  );
  record("knowledge", recorded, sections.join("\n\n"));
}

function section(name: string, measured: Measured): string {
  const { title = name, metrics = {} } = scenarios[name] ?? {};
  const rows = Object.entries(metrics).map(([metric, about]) => ({ ...about, value: measured.metrics[metric] }));
  return `### ${title}\n\n\`${name}\`. ${sayRun(measured)}\n\n${goalTable(rows)}`;
}
