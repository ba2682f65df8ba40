import { describeRun, formatRun, readResults, record } from "../harness/recording.ts";
import type { Summary } from "../harness/statistics.ts";
import { judgeGoals } from "./goals.ts";
import type { Options } from "./options.ts";
import type { Measured, Measurements } from "./results.ts";
import { Results } from "./results.ts";
import { scenarios } from "./scenarios/index.ts";
import { subjects } from "./subjects.ts";

/** The peers that others are compared with, by the letter before their name. */
const bases = { tutorial: "÷ (a)", pipe: "÷ (d)", nginx: "÷ (e)" };

/** Prints a scenario's tables. After a complete run, they also replace the recorded ones. */
export function report(name: string, options: Options, measurements: Measurements): void {
  const known = subjects.filter((subject) => subject.name in measurements);
  const versions = Object.fromEntries(known.map((subject) => [subject.name, subject.version()]));
  const measured: Measured = { ...describeRun(options.pairs, { versions }), subjects: measurements };
  process.stdout.write(`${section(name, measured)}\n`);
  if (!options.complete) return;
  const recorded = { ...(readResults("relay") as Record<string, Measured> | undefined), [name]: measured };
  const sections = Object.keys(scenarios).flatMap((one) => (recorded[one] ? [section(one, recorded[one])] : []));
  record("relay", recorded, sections.join("\n\n"));
}

function section(name: string, measured: Measured): string {
  const { title = name, says = "" } = scenarios[name] ?? {};
  const results = new Results(measured.subjects);
  const goals = judgeGoals(name, results).map((one) => [one.goal, one.measured, one.met ? "met" : "**not met**"]);
  const parts = [`### ${title}`, `${says} ${formatRun(measured)}`, scenarioTable(name, results)];
  return [...parts, ...(goals.length > 0 ? [table(["goal", "measured", ""], goals, 3)] : [])].join("\n\n");
}

function scenarioTable(name: string, results: Results): string {
  const { metrics = {}, headline = "" } = scenarios[name] ?? {};
  const shown = subjects.filter((subject) => results.has(subject.name));
  const compared = Object.entries(bases).filter(([base]) => shown.some((subject) => subject.name === base));
  const heads = Object.values(metrics).map(({ title, unit }) => (unit ? `${title}, ${unit}` : title));
  return table(
    ["", ...heads, ...compared.map(([, title]) => title), "failures"],
    shown.map(({ name: subject, title }) => [
      title,
      ...Object.keys(metrics).map((metric) => show(results.metric(subject, metric))),
      ...compared.map(([base]) => ratio(results.ratio(headline, subject, base))),
      failures(results.failures(subject)),
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

/** Three significant digits, in groups of three from 1,000. */
function digits(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString("en").replaceAll(",", " ");
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

const ratio = (summary: Summary | undefined) => (summary ? `${summary.median.toFixed(2)} ×` : "–");

function failures(kinds: Record<string, number>): string {
  const parts = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
  return parts.length > 0 ? parts.join(", ") : "0";
}
