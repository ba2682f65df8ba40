import { parseArgs } from "node:util";
import type { Scope } from "@agent-backends/kit/auth";
import { defaultKeysFile, KeyFileError, scopes } from "@agent-backends/kit/auth";
import { addKey, describeKeys, removeKey, UsageError } from "./commands.ts";
import { changeKeys, readKeys } from "./file.ts";

const usage = `Keys by which clients may use the services.

  npm run keys -- add --name NAME --namespace NAMESPACE   makes a key and prints it, this once
      --namespace may be repeated; * in it stands for any characters: 'customer-*'
      --scope ${scopes.join("|")}, may be repeated; without it ask, read and write
      --rate N  requests per minute; without it what the service allows every key
      --tokens-per-minute N, --tokens-per-day N  the model's tokens; without them as many as it likes
  npm run keys -- list                                    what is known of each key
  npm run keys -- remove --name NAME                      running services refuse it within 10 s

      --file FILE  where they are kept; without it AUTH_KEYS_FILE, or ${defaultKeysFile}
`;

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        name: { type: "string" },
        namespace: { type: "string", multiple: true, default: [] },
        scope: { type: "string", multiple: true, default: [] },
        rate: { type: "string" },
        "tokens-per-minute": { type: "string" },
        "tokens-per-day": { type: "string" },
        file: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
    const [command, ...others] = positionals;
    if (others.length > 0)
      throw new UsageError(`"${others.join(" ")}" is one argument too many; use one of add, list, remove.`);
    return { ...values, command };
  } catch (error) {
    throw error instanceof UsageError ? error : new UsageError((error as Error).message);
  }
}

function parseName(name: string | undefined): string {
  if (!name?.trim()) throw new UsageError("Say whose key it is: --name my-app");
  return name.trim();
}

function parseScopes(given: readonly string[]): Scope[] {
  return given
    .flatMap((list) => list.split(","))
    .map((name) => {
      const scope = scopes.find((known) => known === name.trim());
      if (!scope) throw new UsageError(`--scope ${name} is unknown; use one of ${scopes.join(", ")}.`);
      return scope;
    });
}

function parseCount(text: string | undefined, option: string, what: string): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,11}$/.test(text)) throw new UsageError(`${option} must be a whole number of ${what}.`);
  return Number(text);
}

/** What a command prints: `output` to standard output for programs, `notes` to standard error for people. */
export interface Printed {
  output: string;
  notes: string;
  exitCode: number;
}

/**
 * Runs `npm run keys --` with these arguments.
 *
 * @param configured `AUTH_KEYS_FILE`
 */
export async function runKeys(args: readonly string[], configured: string | undefined): Promise<Printed> {
  let notes = "";
  try {
    const output = await run(args, configured?.trim(), (line) => {
      notes += line;
    });
    return { output, notes, exitCode: 0 };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof KeyFileError)) throw error;
    const what = error instanceof KeyFileError ? `The file of keys ${error.message}.` : error.message;
    return { output: "", notes: `${what}\n`, exitCode: 1 };
  }
}

async function run(
  args: readonly string[],
  configured: string | undefined,
  note: (line: string) => void,
): Promise<string> {
  const given = readArguments(args);
  const path = given.file ?? (configured || defaultKeysFile);
  if (given.help) return usage;
  switch (given.command) {
    case "add": {
      const name = parseName(given.name);
      if (given.namespace.some((namespace) => namespace === "")) throw new UsageError("--namespace can't be empty.");
      if (given.namespace.length === 0) {
        throw new UsageError("Say what the key reaches: --namespace my-namespace, or --namespace '*' for all.");
      }
      let key = "";
      await changeKeys(path, (keys) => {
        const about = {
          name,
          namespaces: given.namespace,
          scopes: parseScopes(given.scope),
          rate: parseCount(given.rate, "--rate", "requests per minute"),
          tokensPerMinute: parseCount(given["tokens-per-minute"], "--tokens-per-minute", "tokens per minute"),
          tokensPerDay: parseCount(given["tokens-per-day"], "--tokens-per-day", "tokens per day"),
        };
        const added = addKey(keys, about);
        key = added.key;
        return added.keys;
      });
      note(`Added "${name}" to ${path}. This is its key; it can't be shown again:\n`);
      if (given.file === undefined && !configured) {
        note(`Services on a public HOST ask for keys now; for others set AUTH_KEYS_FILE=${path}\n`);
      }
      return `${key}\n`;
    }
    case "list":
      return `${describeKeys(await readKeys(path))}\n`;
    case "remove": {
      const name = parseName(given.name);
      await changeKeys(path, (keys) => removeKey(keys, name));
      return `Removed "${name}" from ${path}.\n`;
    }
    default:
      throw new UsageError(`${given.command ? `"${given.command}" is unknown` : "Nothing to do"}.\n\n${usage}`);
  }
}
