import type { Command, Option } from "../command.ts";
import { exitCodeMeanings, exitCodes } from "../command.ts";
import { allOptions } from "../options.ts";

export const program = "agents";

/** The option as it is typed: `-n, --namespace NAMESPACE`. */
export function optionUsage(name: string, { short, value, type }: Option): string {
  return `${short ? `-${short}, ` : ""}--${name}${type === "string" ? ` ${value ?? name.toUpperCase()}` : ""}`;
}

export const optionMeaning = ({ description, choices, multiple }: Option): string =>
  [description, choices && `one of ${choices.join(", ")}`, multiple && "may be repeated"].filter(Boolean).join("; ");

function columns(rows: readonly (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`.trimEnd());
}

export const usageLine = ({ name, arguments: taken }: Command): string =>
  `${program} ${name}${taken === "" ? "" : ` ${taken}`} [options]`;

export function commandHelp(command: Command): string {
  const options = Object.entries(allOptions(command));
  return [
    `${command.summary}`,
    "",
    `Usage: ${usageLine(command)}`,
    "",
    ...(command.details === undefined ? [] : [command.details, ""]),
    "Options:",
    ...columns(options.map(([name, option]) => [optionUsage(name, option), optionMeaning(option)])),
    "",
    "Examples:",
    ...command.examples.map((line) => `  ${line}`),
    "",
  ].join("\n");
}

export function programHelp(commands: readonly Command[]): string {
  return [
    "Works with the knowledge, listing and relay services.",
    "",
    `Usage: ${program} <command> [options]`,
    "",
    ...columns(commands.map(({ name, summary }) => [name, summary])),
    "",
    `${program} <command> --help shows a command's options and examples, and ${program} --version the version.`,
    "",
    "Exit codes:",
    ...columns(
      Object.entries(exitCodeMeanings).map(([name, meaning]) => [
        String(exitCodes[name as keyof typeof exitCodes]),
        meaning,
      ]),
    ),
    "",
  ].join("\n");
}
