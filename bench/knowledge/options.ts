import { parseArgs } from "node:util";

export interface Options {
  pairs: number;
  scenarios: string[];
  /** Size of the text of `ingest`. */
  megabytes: number;
  /** Size of the file of `large-file` when it is not 50 MiB. */
  fileMegabytes?: number;
  /** In the one namespace of `search`. */
  chunks: number;
  namespaces: number;
  /** Whether `ingest` measures LangChain.js, too. */
  peers: boolean;
  /** False when it leaves something out: such a run is printed and not recorded. */
  complete: boolean;
}

const whole = { pairs: 5, megabytes: 20, chunks: 100_000, namespaces: 2_000 };

/** @throws Error that says which flag is wrong and what would be right */
export function readOptions(args: string[], known: readonly string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      pairs: { type: "string", default: String(whole.pairs) },
      scenarios: { type: "string", default: known.join(",") },
      megabytes: { type: "string", default: String(whole.megabytes) },
      "file-megabytes": { type: "string" },
      chunks: { type: "string", default: String(whole.chunks) },
      namespaces: { type: "string", default: String(whole.namespaces) },
      "no-peers": { type: "boolean", default: false },
    },
  });
  const scenarios = values.scenarios.split(",");
  const unknown = scenarios.find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Error(`--scenarios: "${unknown}" is none of ${known.join(", ")}`);
  const pairs = parseNumber("pairs", values.pairs);
  const megabytes = parseNumber("megabytes", values.megabytes);
  const chunks = parseNumber("chunks", values.chunks);
  const namespaces = parseNumber("namespaces", values.namespaces);
  const fileMegabytes = values["file-megabytes"];
  const peers = !values["no-peers"];
  return {
    pairs,
    scenarios,
    megabytes,
    chunks,
    namespaces,
    peers,
    ...(fileMegabytes !== undefined && { fileMegabytes: parseNumber("file-megabytes", fileMegabytes) }),
    complete:
      peers &&
      fileMegabytes === undefined &&
      scenarios.length === known.length &&
      pairs >= whole.pairs &&
      megabytes === whole.megabytes &&
      chunks >= whole.chunks &&
      namespaces >= whole.namespaces,
  };
}

function parseNumber(flag: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${flag} must be a number above 0, not "${text}"`);
  return number;
}
