import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Machine } from "./machine.ts";
import { describeMachine } from "./machine.ts";
import { benchDirectory, pageFile, rootDirectory } from "./paths.ts";
import type { Summary } from "./statistics.ts";
import { summarise } from "./statistics.ts";

/** Time, machine and commit of a measurement. */
export interface Run {
  measuredAt: string;
  commit: string;
  pairs: number;
  machine: Machine;
}

export function describeRun(pairs: number, machine: Partial<Machine> = {}): Run {
  return {
    measuredAt: new Date().toISOString(),
    commit: execFileSync("git", ["rev-parse", "--short=10", "HEAD"], { cwd: rootDirectory, encoding: "utf8" }).trim(),
    pairs,
    machine: { ...describeMachine([]), ...machine },
  };
}

export function formatRun({ measuredAt, commit, pairs, machine }: Run): string {
  const { processor, cores, coresInAll = cores, node, pinning } = machine;
  const used = cores === coresInAll ? `${cores} cores` : `${cores} of ${coresInAll} cores`;
  return `Measured ${measuredAt.slice(0, 10)} at ${commit}, ${pairs} pairs. ${processor}, ${used}, Node ${node}; ${pinning}.`;
}

const toResultFile = (name: string) => join(benchDirectory, "results", `${name}.json`);

/** The last results recorded under a name. */
export const readResults = (name: string): unknown =>
  existsSync(toResultFile(name)) ? JSON.parse(readFileSync(toResultFile(name), "utf8")) : undefined;

/** Writes results as JSON, and as Markdown between the `<!-- name -->` marks of the benchmarks page. */
export function record(name: string, results: object, text: string): void {
  mkdirSync(dirname(toResultFile(name)), { recursive: true });
  writeFileSync(toResultFile(name), `${JSON.stringify(results, undefined, 2)}\n`);
  const mark = `<!-- ${name} -->`;
  const page = readFileSync(pageFile, "utf8").split(mark);
  if (page.length !== 3) throw new Error(`${pageFile} has no place for the results: it needs ${mark} twice.`);
  writeFileSync(pageFile, [page[0], `\n\n${text}\n\n`, page[2]].join(mark));
}

export interface Goal {
  atLeast?: number;
  atMost?: number;
}

/** A row of a table: the name of a value, its unit, and its goal. */
export interface Metric {
  title: string;
  unit: string;
  digits: number;
  goal?: Goal;
}

/** By the metric's name. */
export type Metrics = Record<string, Metric>;
export type Values = Record<string, number>;

/** Results of a run's pairs, for one table. */
export interface Measured extends Run {
  metrics: Record<string, Summary | undefined>;
}

export const summarisePairs = (run: Run, metrics: Metrics, pairs: readonly Values[]): Measured => ({
  ...run,
  metrics: Object.fromEntries(
    Object.keys(metrics).map((name) => [name, summarise(pairs.map((values) => values[name]))]),
  ),
});

/** The time of the measurement, and a table of the values with their goals and verdicts. */
export function showMeasured(metrics: Metrics, measured: Measured): string {
  const cells = Object.entries(metrics).map(([name, { title, unit, digits, goal }]) => {
    const value = measured.metrics[name];
    return [
      title,
      value === undefined ? "–" : showSummary(value, digits),
      unit,
      goal === undefined ? "" : showGoal(goal),
      goal === undefined || value === undefined ? "" : isMet(goal, value.median) ? "met" : "**not met**",
    ];
  });
  const rows = [["", "median (min to max)", "", "goal", ""], ["---", "--:", "---", "--:", "---"], ...cells];
  return [formatRun(measured), "", ...rows.map((row) => `| ${row.join(" | ")} |`)].join("\n");
}

export const isMet = ({ atLeast = -Infinity, atMost = Infinity }: Goal, value: number): boolean =>
  value >= atLeast && value <= atMost;

const showGoal = ({ atLeast, atMost }: Goal): string =>
  [atLeast !== undefined && `≥ ${group(atLeast)}`, atMost !== undefined && `≤ ${group(atMost)}`]
    .filter((part) => part !== false)
    .join(", ");

const group = (value: number): string => value.toLocaleString("en-GB");

function showSummary({ median, min, max }: Summary, digits: number): string {
  const [middle, least, most] = [median, min, max].map((one) =>
    one.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  return `${middle} (${least} to ${most})`;
}
