import type { CommandError } from "../command.ts";
import type { Output } from "../terminal/output.ts";
import { formatDuration } from "../terminal/progress.ts";
import type { SyncPair } from "./manifest.ts";
import type { Plan } from "./plan.ts";
import { permanentErrors } from "./plan.ts";

/** Longer lists are replaced by a count. `--dry-run` always shows all. */
const maxListedNames = 30;

/** A file or page of the folder that isn't in the namespace. */
export interface Failure {
  name: string;
  code: string;
  error: string;
}

/** The part of a stored file that couldn't be read. */
export interface Warning {
  name: string;
  warning: string;
}

interface Round {
  failures: readonly Failure[];
  warnings: readonly Warning[];
  /** Names that are deleted although their files exist, because patterns exclude them. */
  excluded: ReadonlySet<string>;
  excludedCounts: string;
  isDryRun: boolean;
  elapsedMs: number;
}

/** Prints what a sync did. With `--watch`, each round prints only what the previous one didn't. */
export class Reports {
  readonly #pair: SyncPair;
  readonly #out: Output;
  #printed: ReadonlySet<string> | undefined;

  constructor(pair: SyncPair, out: Output) {
    this.#pair = pair;
    this.#out = out;
  }

  print(plan: Plan, { failures, warnings, excluded, excludedCounts, isDryRun, elapsedMs }: Round): void {
    const out = this.#out;
    const failed = new Set(failures.map(({ name }) => name));
    const isDone = (name: string) => !failed.has(name);
    const added = plan.added.map(({ name }) => name).filter(isDone);
    const replaced = plan.replaced.map(({ name }) => name).filter(isDone);
    const renamed = plan.renamed.map(({ from, item }) => ({ from, to: item.name })).filter(({ to }) => isDone(to));
    const { deleted, unchanged } = plan;
    const changes = [
      ...added.map((name) => `${out.style("green", "+")} ${name}`),
      ...replaced.map((name) => `${out.style("yellow", "~")} ${name}`),
      ...renamed.map(({ from, to }) => `${out.style("cyan", ">")} ${from} -> ${to}`),
      ...deleted.map((name) => `${out.style("red", "-")} ${name}${excluded.has(name) ? " (left out now)" : ""}`),
    ];
    const notes = [
      ...failures.map(({ name, code, error }) => `${out.style("red", "!", "stderr")} ${name}: ${error} (${code})`),
      ...describeExclusion(failures),
      ...warnings.map(({ name, warning }) => `${out.style("yellow", "!", "stderr")} ${name}: ${warning}`),
      ...(excludedCounts === "" ? [] : [`Left out: ${excludedCounts}`]),
    ];
    // Actual changes are always printed.
    const known = this.#replacePrinted(isDryRun ? [...changes, ...notes] : notes);
    if (known.isSame && (isDryRun || changes.length === 0)) return;
    const isNew = (line: string) => !known.lines.has(line);
    if (isDryRun) for (const line of changes.filter(isNew)) out.write(`${line}\n`);
    else if (changes.length <= maxListedNames) for (const line of changes) out.write(`${line}\n`);
    for (const line of notes.filter(isNew)) out.note(line);
    const { namespace, from: folder } = this.#pair;
    const counts = [
      `${added.length} added, ${replaced.length} replaced, ${renamed.length} renamed, ${deleted.length} deleted`,
      `${unchanged} unchanged, ${failures.length} failed`,
    ].join(", ");
    out.result(
      {
        ...{ namespace, folder, dry_run: isDryRun, added, replaced, renamed, deleted, unchanged },
        ...{ failed: failures, warnings, elapsed_ms: elapsedMs },
      },
      `${isDryRun ? "Would be: " : ""}${counts} in ${namespace} · ${formatDuration(elapsedMs)}`,
    );
  }

  /** Prints why a round failed as a whole. */
  printFailure({ message, exitCode }: CommandError): void {
    if (!this.#replacePrinted([message]).isSame) this.#out.error(message, { exitCode });
  }

  #replacePrinted(lines: readonly string[]): { lines: ReadonlySet<string>; isSame: boolean } {
    const before = this.#printed;
    const next = new Set(lines);
    this.#printed = next;
    return {
      lines: before ?? new Set(),
      isSame: before?.size === next.size && lines.every((line) => before.has(line)),
    };
  }
}

/** Suggests excluding files that would fail in every run. */
function describeExclusion(failures: readonly Failure[]): string[] {
  const hopeless = failures.filter(({ code }) => permanentErrors.has(code));
  if (hopeless.length === 0) return [];
  const options = hopeless.slice(0, maxListedNames).map(({ name }) => {
    return `--exclude '${URL.canParse(name) ? new URL(name).pathname : name}'`;
  });
  const isCut = hopeless.length > options.length;
  return [`To leave out the files that can't be stored, add: ${options.join(" ")}${isCut ? " …" : ""}`];
}
