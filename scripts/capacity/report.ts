import type { Costs, Plan, ServicePlan } from "./plan.ts";
import { defaultUsage, planCapacity } from "./plan.ts";

const round = (number: number): string => {
  const digits = number >= 100 ? 0 : number >= 10 ? 1 : 2;
  return Number(number.toFixed(digits)).toLocaleString("en-US");
};

function bytes(count: number): string {
  const [unit, size] = count >= 1e12 ? ["TB", 1e12] : count >= 1e9 ? ["GB", 1e9] : ["MB", 1e6];
  return `${round(count / (size as number))} ${unit}`;
}

const serviceNames = ["relay", "knowledge", "listing"] as const;
const load = ({ cores, processes, memoryBytes }: ServicePlan) =>
  `${round(cores)} cores, ${processes} ${processes === 1 ? "process" : "processes"}, ${bytes(memoryBytes)}`;

/** Describes a plan in words, one line per item. */
export function planRows(plan: Plan): string[] {
  return [
    `messages in the busiest hour: ${round(plan.messagesPerSecond)}/s, open streams: ${round(plan.openStreams)}`,
    ...serviceNames.map((name) => `${name}: ${load(plan[name])}`),
    `store: ${bytes(plan.storeBytes)}`,
    `list price: $${round(plan.dollarsPerMonth)} a month`,
  ];
}

/** The table of docs/scaling.md: from ten users to ten million, with ten documents each. */
export function scalingTable(costs: Costs): string[][] {
  const rows = [10, 100, 1_000, 10_000, 100_000, 1_000_000, 10_000_000].map((users) => {
    const plan = planCapacity({ ...defaultUsage, users, docs: users * 10 }, costs);
    const services = serviceNames.map((name) => `${round(plan[name].cores)} / ${plan[name].processes}`);
    const memory = serviceNames.reduce((sum, name) => sum + plan[name].memoryBytes, 0);
    return [
      ...[users.toLocaleString("en-US"), round(plan.messagesPerSecond), round(plan.openStreams)],
      ...[...services, bytes(memory), bytes(plan.storeBytes), `$${round(plan.dollarsPerMonth)}`],
    ];
  });
  const columns = [
    "users",
    "messages/s",
    "open streams",
    "relay",
    "knowledge",
    "listing",
    "memory",
    "store",
    "a month",
  ];
  return [columns, ...rows];
}
