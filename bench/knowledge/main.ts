// Measures the knowledge service: node bench/knowledge/main.ts [--scenarios ingest,search-500,…] [--pairs 5] [--quick]
import type { Measured, Values } from "../harness/recording.ts";
import { describeRun, readResults, record, showMeasured, summarisePairs } from "../harness/recording.ts";
import { readOptions } from "./options.ts";
import { scenarios } from "./scenarios/index.ts";
import { startProvider } from "./servers.ts";

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

/** Prints a scenario's table. After a complete run, it also replaces the recorded table. */
function report(name: string, values: readonly Values[]): void {
  const run = describeRun(options.pairs, { pinning: "nothing is pinned to a core" });
  const measured = summarisePairs(run, scenarios[name]?.metrics ?? {}, values);
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
  return `### ${title}\n\n\`${name}\`. ${showMeasured(metrics, measured)}`;
}
