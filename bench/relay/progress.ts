import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildDirectory, rootDirectory } from "../harness/paths.ts";
import type { Measurement } from "./scenarios/scenario.ts";

interface Line extends Measurement {
  scenario: string;
  subject: string;
  pair: number;
}

const file = join(buildDirectory, "relay-progress.jsonl");

/** Keeps each measurement in a file at once, so that a run can be continued after an interruption. */
export class Progress {
  readonly #done = new Map<string, Measurement>();

  /**
   * @param isContinued whether to go on with the measurements of the last run
   * @throws Error when those are of other code: tables show one state of it
   */
  constructor(isContinued: boolean) {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: rootDirectory, encoding: "utf8" }).trim();
    if (!isContinued || !existsSync(file)) {
      mkdirSync(buildDirectory, { recursive: true });
      writeFileSync(file, `${commit}\n`);
      return;
    }
    const [measured, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
    if (measured !== commit)
      throw new Error(`${file} has measurements of commit ${measured}, not of ${commit}: begin without --continue`);
    for (const line of lines) {
      // JSON has no NaN, which stands for what can't be measured.
      const read = JSON.parse(line, (_, value: unknown) => (value === null ? Number.NaN : value)) as Line;
      this.#done.set(toKey(read), { values: read.values, failures: read.failures });
    }
  }

  find(scenario: string, subject: string, pair: number): Measurement | undefined {
    return this.#done.get(toKey({ scenario, subject, pair }));
  }

  add(line: Line): void {
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}

const toKey = ({ scenario, subject, pair }: Pick<Line, "scenario" | "subject" | "pair">) =>
  `${scenario} ${subject} ${pair}`;
