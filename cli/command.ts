import type { parseArgs } from "node:util";
import type { Output } from "./terminal/output.ts";

/** An option, as `util.parseArgs` takes it, with what help, completion and docs say of it. */
export interface Option {
  type: "string" | "boolean";
  short?: string;
  multiple?: boolean;
  description: string;
  /** What its value is, in capitals: `NAMESPACE`. */
  value?: string;
  choices?: readonly string[];
  completes?: "file" | "folder";
}

export type Options = Readonly<Record<string, Option>>;

export type Values<Given extends Options> = ReturnType<
  typeof parseArgs<{ options: Given; strict: true; allowPositionals: true }>
>["values"] & {
  /** Only commands of a service have these. */
  url?: string;
  key?: string;
};

/** What a command gets from the process. Tests and other callers may pass their own. */
export interface Context {
  out: Output;
  environment: NodeJS.ProcessEnv;
  fetch: typeof fetch;
  /** Aborted by Ctrl-C and SIGTERM. */
  signal: AbortSignal;
  now: () => number;
}

/** The services that commands talk to. */
export type ClientOf = "knowledge" | "listing" | "relay";

export interface Command<Given extends Options = Options> {
  name: string;
  summary: string;
  /** Its arguments as usage shows them: `<question>`. Empty when it takes none. */
  arguments: string;
  /** The values of its arguments, or what they are. Completion offers them. */
  completes?: readonly string[] | "file" | "folder";
  /** The service it talks to; it then has `--url` and `--key`. */
  service?: ClientOf;
  /** Further paragraphs of its help. */
  details?: string;
  options: Given;
  examples: readonly string[];
  /** Returns the exit code; none means success. */
  run(given: { values: Values<Given>; positionals: string[] }, context: Context): Promise<number | undefined>;
}

/** Infers the types of a command's options. The table of commands forgets them. */
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

/** What docs and help say of each exit code. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  ok: "everything was done",
  failed: "the service answered with an error, or some items failed",
  usage: "the command line is wrong; the message names the fix",
  unreachable: "no service answers at the address, or it isn't ready",
  refused: "the service needs a key, or doesn't allow this one to do it",
  interrupted: "Ctrl-C or SIGTERM ended it",
};

/** A failure that the user is told of in one sentence. */
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
