import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Command, Context } from "./command.ts";
import { exitCodes, UsageError } from "./command.ts";
import { commands } from "./commands/index.ts";
import { toCommandError } from "./failures.ts";
import { allOptions } from "./options.ts";
import { root } from "./root.ts";
import { findSimilar } from "./similar.ts";
import { commandHelp, program, programHelp } from "./terminal/help.ts";
import type { Terminal } from "./terminal/output.ts";
import { Output } from "./terminal/output.ts";

/** The version, and the date of the latest changelog entry, from which users start reading docs/upgrading.md. */
function describeVersion(): string {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  const changelog = join(root, "CHANGELOG.md");
  const [, day] = existsSync(changelog) ? (/^## (\d{4}-\d\d-\d\d)$/m.exec(readFileSync(changelog, "utf8")) ?? []) : [];
  return day === undefined ? version : `${version}, of ${day}`;
}

/** parseArgs takes everything with a leading dash for an option. A number after an option is its value. */
function joinNegativeNumbers(args: readonly string[]): string[] {
  const joined: string[] = [];
  for (const arg of args) {
    const isValue = /^-\d/.test(arg) && /^--[^=]+$/.test(joined.at(-1) ?? "");
    joined.push(isValue ? `${joined.pop()}=${arg}` : arg);
  }
  return joined;
}

function parse(command: Command, args: string[]) {
  const config = {
    args: joinNegativeNumbers(args),
    options: allOptions(command),
    allowPositionals: true,
    strict: true,
  } as const;
  try {
    return parseArgs(config);
  } catch (error) {
    // Node.js messages name the option. Their hint about "--" doesn't help with a mistyped option.
    const message = ((error as Error).message.split(/\.\s/)[0] ?? "").replace(
      "argument is ambiguous",
      "has no value: write one that begins with a dash as in --name=-x",
    );
    const [, mistyped] = /^Unknown option '--([^']+)'/.exec(message) ?? [];
    const similar = mistyped && findSimilar(mistyped, Object.keys(config.options));
    throw new UsageError(
      `${message}${similar ? `; did you mean --${similar}?` : `. See: ${program} ${command.name} --help`}`,
    );
  }
}

/** The parts of the process that a command line uses. */
type RunEnvironment = Omit<Context, "out"> & Record<"stdout" | "stderr", Terminal>;

/** Runs a command line. Returns the exit code. */
export async function run(args: readonly string[], surroundings: RunEnvironment): Promise<number> {
  const { stdout, stderr, ...rest } = surroundings;
  const isJson = args.includes("--json");
  const out = new Output({ isJson, environment: rest.environment, stdout, stderr });
  try {
    const parsed = parseCommandLine(args[0] === "--json" ? args.slice(1) : args);
    if ("help" in parsed) {
      out.raw(parsed.help);
      return exitCodes.ok;
    }
    const exitCode = await parsed.command.run(parsed, { ...rest, out });
    return rest.signal.aborted ? exitCodes.interrupted : (exitCode ?? exitCodes.ok);
  } catch (error) {
    if (rest.signal.aborted) return exitCodes.interrupted;
    const failure = toCommandError(error);
    if (!failure) throw error;
    out.error(failure.message, { exitCode: failure.exitCode });
    return failure.exitCode;
  }
}

type Parsed = { help: string } | (Parameters<Command["run"]>[0] & { command: Command });

/** @throws UsageError */
export function parseCommandLine([first = "help", ...rest]: readonly string[]): Parsed {
  const asked = first === "help" ? rest.find((word) => word !== "--json") : first;
  if (asked === undefined || asked === "--help" || asked === "-h") return { help: programHelp(commands) };
  if (["--version", "-V", "-v"].includes(asked)) return { help: `${describeVersion()}\n` };
  const command = commands.find(({ name }) => name === asked);
  if (!command) {
    const similar = findSimilar(
      asked,
      commands.map(({ name }) => name),
    );
    throw new UsageError(
      `There is no command "${asked}"${similar ? `; did you mean ${similar}?` : `. See: ${program} help`}`,
    );
  }
  if (first === "help") return { help: commandHelp(command) };
  const { values, positionals } = parse(command, rest);
  if (values.help) return { help: commandHelp(command) };
  if (command.arguments === "" && positionals.length > 0) {
    throw new UsageError(`${program} ${command.name} takes no arguments: "${positionals.join(" ")}" is too many.`);
  }
  return { command, values, positionals };
}
