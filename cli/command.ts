import type { parseArgs } from "node:util";
import type { Output } from "./terminal/output.ts";

/** A command-line option: its fields for `util.parseArgs`, plus its texts for help, completion and docs. */
export interface Option {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
  description: string;
  /** Placeholder for the value in usage texts, in capitals: `NAMESPACE`. */
  value?: string;
  choices?: readonly string[];
  completes?: "file" | "folder";
}

export type Options = Readonly<Record<string, Option>>;

export type Values<Given extends Options> = ReturnType<
  typeof parseArgs<{ options: Given; strict: true; allowPositionals: true }>
>["values"] & {
  /** Set only for commands that talk to a service. */
  url?: string;
  key?: string;
};

/** Dependencies of a command. Tests and other callers may pass their own. */
export interface Context {
  out: Output;
  environment: NodeJS.ProcessEnv;
  fetch: typeof fetch;
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  now: () => number;
}

/** The services that commands talk to. */
export type ClientName = "knowledge" | "listing" | "relay";

export interface Command<Given extends Options = Options> {
  name: string;
  summary: string;
  /** Positional arguments as usage shows them: `<question>`. Empty if the command takes none. */
  arguments: string;
  /** Completion candidates for the arguments: fixed values, or the names of files or folders. */
  completes?: readonly string[] | "file" | "folder";
  /** The service this command talks to. Adds the options `--url` and `--key`. */
  service?: ClientName;
  /** Further paragraphs of the help text. */
  details?: string;
  options: Given;
  examples: readonly string[];
  /** Returns the exit code. Undefined means success. */
  run(given: { values: Values<Given>; positionals: string[] }, context: Context): Promise<number | undefined>;
}

/** Infers the types of one command's options, then erases them: the command table holds commands with different options. */
export const defineCommand = <const Given extends Options>(command: Command<Given>): Command =>
  command as unknown as Command;

export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  unreachable: 3,
  refused: 4,
  interrupted: 130,
} as const;

/** Meaning of each exit code, for docs and help. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "everything was done",
  failed: "the service answered with an error, or some items failed",
  usage: "the command line is wrong; the message says how to correct it",
  unreachable: "no service answers at the address, or it isn't ready",
  refused: "the service needs a key, or the key isn't allowed to do this",
  interrupted: "Ctrl-C or SIGTERM ended the command",
};

/** A failure that the user sees as one sentence. */
export class CommandError extends Error {
  override readonly name: string = "CommandError";
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** A mistake on the command line. The message names it and the fix. */
export class UsageError extends CommandError {
  override readonly name = "UsageError";

  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}
