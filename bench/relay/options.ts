import { parseArgs } from "node:util";
import { scenarios } from "./scenarios/index.ts";
import { subjectNames } from "./subjects.ts";

export interface Options {
  /** Number of measurements of each scenario with each subject. */
  pairs: number;
  scenarios: string[];
  subjects: string[];
  /** Minimum duration of burst, short and slow-readers, in seconds. */
  minSeconds: number;
  idleStreams: number;
  /** False if the run leaves something out. Such a run is printed but not recorded. */
  complete: boolean;
}

const fullRunPairs = 5;
const fullRunIdleStreams = 9_500;

/** @throws Error that names the wrong flag and a correct value */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      pairs: { type: "string", default: String(fullRunPairs) },
      scenarios: { type: "string", default: Object.keys(scenarios).join(",") },
      peers: { type: "string", default: subjectNames.join(",") },
      "min-seconds": { type: "string", default: "2" },
      "idle-streams": { type: "string", default: String(fullRunIdleStreams) },
    },
  });
  const pairs = parseNumber("pairs", values.pairs);
  const idleStreams = parseNumber("idle-streams", values["idle-streams"]);
  const chosenScenarios = parseNames("scenarios", values.scenarios, Object.keys(scenarios));
  const subjects = parseNames("peers", values.peers, subjectNames);
  return {
    pairs,
    scenarios: chosenScenarios,
    subjects,
    minSeconds: parseNumber("min-seconds", values["min-seconds"]),
    idleStreams,
    complete: pairs >= fullRunPairs && idleStreams >= fullRunIdleStreams && subjects.length === subjectNames.length,
  };
}

export function parseNumber(flag: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${flag} must be a number above 0, not "${text}"`);
  return number;
}

function parseNames(flag: string, text: string, known: readonly string[]): string[] {
  const names = text.split(",");
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--${flag}: "${unknown}" is none of ${known.join(", ")}`);
  return names;
}
