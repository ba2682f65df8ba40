import { parseArgs } from "node:util";

export interface Options {
  pairs: number;
  scenarios: string[];
  /** Factor for the sizes of texts and namespaces. */
  scale: number;
  /** Whether LangChain.js is also measured. */
  peers: boolean;
  /** False if the run leaves something out. Such a run is printed but not recorded. */
  isWhole: boolean;
}

const fullRunPairs = 5;
const quickScale = 0.05;

/** @throws Error that names the wrong flag and a correct value */
export function readOptions(args: string[], known: readonly string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      pairs: { type: "string" },
      scenarios: { type: "string", default: known.join(",") },
      quick: { type: "boolean", default: false },
    },
  });
  const scenarios = values.scenarios.split(",");
  const unknown = scenarios.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--scenarios: "${unknown}" is none of ${known.join(", ")}`);
  const pairs = Number(values.pairs ?? (values.quick ? 1 : fullRunPairs));
  if (!(pairs >= 1)) throw new Error(`--pairs must be a number from 1 on, not "${values.pairs}"`);
  const isWhole = !values.quick && pairs >= fullRunPairs;
  return { pairs, scenarios, scale: values.quick ? quickScale : 1, peers: !values.quick, isWhole };
}
