import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describeMachine } from "../harness/machine.ts";
import { benchDirectory, pageFile } from "../harness/paths.ts";
import type { Summary } from "../harness/statistics.ts";
import { summarise } from "../harness/statistics.ts";
import type { Options } from "./options.ts";
import { scenarios } from "./scenarios/index.ts";
import type { Values } from "./scenarios/scenario.ts";

const resultsFile = join(benchDirectory, "results", "knowledge.json");
const mark = "<!-- knowledge -->";

/** Prints the table of what was measured; of a whole run, writes it into the page about benchmarks, and all as JSON. */
export function writeReport(options: Options, measured: Map<string, Values[]>): void {
  const summaries = [...measured].map(([name, values]) => {
    const metrics = Object.keys(scenarios[name]?.metrics ?? {});
    return [
      name,
      Object.fromEntries(metrics.map((metric) => [metric, summarise(values.map((one) => one[metric]))])),
    ] as const;
  });
  const machine = { ...describeMachine([]), pinning: "none: the service works in several threads" };
  const measuredAt = new Date().toISOString();
  const text = [
    `Measured ${measuredAt.slice(0, 10)}, ${options.pairs} pairs. ${machine.processor}, ${machine.cores} cores, Node ${machine.node}.`,
    table(summaries),
  ].join("\n\n");
  process.stdout.write(`${text}\n`);
  if (!options.complete) return;
  mkdirSync(dirname(resultsFile), { recursive: true });
  const results = { measuredAt, machine, options, scenarios: Object.fromEntries(summaries) };
  writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`);
  const page = readFileSync(pageFile, "utf8").split(mark);
  if (page.length === 3) writeFileSync(pageFile, [page[0], `\n\n${text}\n\n`, page[2]].join(mark));
}

function table(summaries: (readonly [string, Record<string, Summary | undefined>])[]): string {
  const rows = summaries.flatMap(([name, values]) =>
    Object.entries(scenarios[name]?.metrics ?? {}).flatMap(([metric, { title, unit, digits, goal = "" }]) => {
      const value = values[metric];
      return value ? [[`\`${name}\``, title, shown(value, digits), unit, goal]] : [];
    }),
  );
  return [["scenario", "", "median (min to max)", "", "goal"], ["---", "---", "--:", "---", "--:"], ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function shown({ median, min, max }: Summary, digits: number): string {
  const [middle, least, most] = [median, min, max].map((one) =>
    one.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  return `${middle} (${least} to ${most})`;
}
