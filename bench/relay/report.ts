import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Machine } from "../harness/machine.ts";
import { pageFile, resultsFile } from "../harness/paths.ts";
import type { Summary } from "../harness/statistics.ts";
import type { Verdict } from "./goals.ts";
import type { Results } from "./results.ts";
import { scenarios } from "./scenarios/index.ts";
import type { Subject } from "./subjects.ts";

export interface Report {
  measuredAt: string;
  pairs: number;
  machine: Machine;
  goals: Verdict[];
  results: Results;
}

/** The peers that others are compared with, by the letter that stands before their name. */
const bases = { tutorial: "÷ (a)", pipe: "÷ (d)", nginx: "÷ (e)" };

const begin = "<!-- results: begin (written by the benchmark) -->";
const end = "<!-- results: end -->";

/** The tables as Markdown. */
export function renderReport({ measuredAt, machine, goals, results }: Report, subjects: readonly Subject[]): string {
  const measured = Object.entries(scenarios).filter(([name]) =>
    subjects.some((s) => results.measured(name, s.name).length),
  );
  const versions = Object.entries(machine.versions).map(([name, version]) => `${name}: ${version}`);
  return [
    `Measured ${measuredAt.slice(0, 10)}. ${machine.processor}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.kernel}, Node ${machine.node}, ${machine.compiler}; ${machine.pinning}. Versions: ${versions.join("; ")}.`,
    "### Goals",
    table(
      ["scenario", "goal", "measured", ""],
      goals.map(({ scenario, goal, measured, met }) => [
        getTitle(scenario),
        goal,
        measured,
        met ? "met" : "**not met**",
      ]),
      4,
    ),
    ...measured.flatMap(([name, scenario]) => [
      `### ${scenario.title}`,
      `${scenario.says} ${results.pairs(name)} pairs.`,
      scenarioTable(name, results, subjects),
    ]),
  ].join("\n\n");
}

const getTitle = (name: string) => scenarios[name]?.title ?? name;

function scenarioTable(name: string, results: Results, subjects: readonly Subject[]): string {
  const { metrics = {}, headline = "" } = scenarios[name] ?? {};
  const shown = subjects.filter((subject) => results.measured(name, subject.name).length > 0);
  const compared = Object.entries(bases).filter(([base]) => shown.some((subject) => subject.name === base));
  const heads = Object.values(metrics).map(({ title, unit }) => (unit ? `${title}, ${unit}` : title));
  return table(
    ["", ...heads, ...compared.map(([, title]) => title), "failures"],
    shown.map(({ name: subject, title }) => [
      title,
      ...Object.keys(metrics).map((metric) => show(results.metric(name, subject, metric))),
      ...compared.map(([base]) => ratio(results.ratio(name, headline, subject, base))),
      failures(results.failures(name, subject)),
    ]),
  );
}

function table(heads: string[], rows: string[][], textColumns = 1): string {
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(heads.map((_, column) => (column < textColumns ? "---" : "--:"))), ...rows.map(line)].join(
    "\n",
  );
}

function show(summary: Summary | undefined): string {
  if (!summary) return "–";
  const { median, min, max } = summary;
  return summary.values.length > 1 ? `${digits(median)} (${digits(min)}–${digits(max)})` : digits(median);
}

/** Three significant digits, groups of three from 1 000 on. */
function digits(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString("en").replaceAll(",", " ");
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const ratio = (summary: Summary | undefined) => (summary ? `${summary.median.toFixed(2)} ×` : "–");

function failures(kinds: Record<string, number>): string {
  const parts = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
  return parts.length > 0 ? parts.join(", ") : "0";
}

/** Keeps the results: as JSON, and as tables on the page about benchmarks. */
export function record(report: Report, tables: string): void {
  mkdirSync(dirname(resultsFile), { recursive: true });
  const json = JSON.stringify(report, null, 2);
  // Lists of numbers on one line, as the formatter has them.
  writeFileSync(
    resultsFile,
    `${json.replace(/\[\s+(-?[\d.e+-]+(?:,\s+-?[\d.e+-]+)*)\s+\]/g, (_, list: string) => `[${list.replace(/\s+/g, " ")}]`)}\n`,
  );
  if (!existsSync(pageFile)) throw new Error(`${pageFile} is missing`);
  const page = readFileSync(pageFile, "utf8");
  const [before, after] = [page.indexOf(begin), page.indexOf(end)];
  if (before < 0 || after < before) throw new Error(`${pageFile} lacks the lines "${begin}" and "${end}"`);
  writeFileSync(pageFile, `${page.slice(0, before)}${begin}\n\n${tables}\n\n${page.slice(after)}`);
}
