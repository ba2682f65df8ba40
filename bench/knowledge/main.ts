// Measures the knowledge service: node bench/knowledge/main.ts [--pairs 5] [--scenarios ingest,search,…]; the page about benchmarks has all flags.
import { readOptions } from "./options.ts";
import { writeReport } from "./report.ts";
import { scenarios } from "./scenarios/index.ts";
import type { Values } from "./scenarios/scenario.ts";
import { startProvider } from "./servers.ts";

const options = readOptions(process.argv.slice(2), Object.keys(scenarios));
const provider = await startProvider();
const measured = new Map<string, Values[]>();
for (const name of options.scenarios) {
  const values: Values[] = [];
  measured.set(name, values);
  await scenarios[name]?.measure(options, provider, (pair) => {
    values.push(pair);
    process.stdout.write(`${name} ${JSON.stringify(pair)}\n`);
  });
}
await provider.close();
writeReport(options, measured);
