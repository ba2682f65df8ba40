// Cores, memory, storage and list prices for a number of users: npm run capacity -- --users 10000 --docs 100000
import { parseArgs } from "node:util";
import { readCosts } from "./costs.ts";
import type { Usage } from "./plan.ts";
import { defaultUsage, planCapacity } from "./plan.ts";
import { planRows } from "./report.ts";

const toFlag = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
const names = Object.keys(defaultUsage) as (keyof Usage)[];

function readUsage(): Usage {
  const options = Object.fromEntries(names.map((name) => [toFlag(name), { type: "string" as const }]));
  const { values } = parseArgs({ options });
  const given = names.flatMap((name) => {
    const text = values[toFlag(name)];
    if (text === undefined) return [];
    const number = Number(text);
    if (!(number >= 0)) throw new Error(`--${toFlag(name)} must be a number from 0, not "${text}"`);
    return [[name, number]];
  });
  return { ...defaultUsage, ...Object.fromEntries(given) };
}

try {
  const usage = readUsage();
  const assumed = names.map((name) => `  --${toFlag(name)} ${usage[name]}`);
  process.stdout.write(`${planRows(planCapacity(usage, readCosts())).join("\n")}\n\nWith\n${assumed.join("\n")}\n`);
} catch (error) {
  const flags = names.map((name) => `--${toFlag(name)} N`).join(", ");
  process.stderr.write(`${(error as Error).message}\nFlags: ${flags}\n`);
  process.exitCode = 2;
}
