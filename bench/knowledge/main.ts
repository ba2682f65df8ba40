// Measures the knowledge service: node bench/knowledge/main.ts [--scenarios ingest,search-500,…] [--pairs 5] [--quick]
import { readOptions } from "./options.ts";
import { report } from "./report.ts";
import { scenarios } from "./scenarios/index.ts";
import type { Values } from "./scenarios/scenario.ts";
import { startProvider } from "./servers.ts";

const options = readOptions(process.argv.slice(2), Object.keys(scenarios));
const provider = await startProvider();
for (const name of options.scenarios) {
  const values: Values[] = [];
  await scenarios[name]?.measure(options, provider, (pair) => {
    values.push(pair);
    process.stdout.write(`${name} ${JSON.stringify(pair)}\n`);
  });
  report(name, options, values);
}
await provider.close();
