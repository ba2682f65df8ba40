import { existsSync } from "node:fs";
import { resolve } from "node:path";
import type { Scope } from "@agent-backends/kit/auth";
import type { Context, Values } from "../command.ts";
import { CommandError, defineCommand, UsageError } from "../command.ts";
import { parseWholeNumber } from "../options.ts";
import { root } from "../root.ts";

const actions = ["add", "list", "remove"] as const;
/** Copied from kit, which takes 100 ms to load. */
export const scopeNames = ["ask", "read", "write", "admin"] as const satisfies readonly Scope[];
const maxCount = 999_999_999_999;

const options = {
  name: { type: "string", value: "NAME", description: "name of the key, such as that of the client" },
  namespace: {
    type: "string",
    short: "n",
    multiple: true,
    value: "NAMESPACE",
    description: "namespace that the key may use; * stands for any characters: 'customer-*'",
  },
  scope: {
    type: "string",
    multiple: true,
    value: "SCOPE",
    choices: scopeNames,
    description: "permission of the key (default: ask, read and write)",
  },
  rate: { type: "string", value: "N", description: "requests per minute (default: the limit of the service)" },
  "tokens-per-minute": { type: "string", value: "N", description: "the model's tokens per minute (default: no limit)" },
  "tokens-per-day": { type: "string", value: "N", description: "the model's tokens per day (default: no limit)" },
  file: {
    type: "string",
    value: "FILE",
    completes: "file",
    description: "the key file (default: AUTH_KEYS_FILE, or ./data/keys.json)",
  },
} as const;

export const keys = defineCommand({
  name: "keys",
  summary: "Create, list and remove the keys that clients use to call the services",
  arguments: `<${actions.join("|")}>`,
  completes: actions,
  details:
    "add prints the key once; only its digest is stored. Running services accept a new key and refuse a removed one within 10 s.",
  options,
  examples: [
    "agents keys add --name my-app --namespace default",
    "agents keys add --name support --namespace 'customer-*' --scope ask --scope read --rate 600",
    "agents keys list",
    "agents keys remove --name support",
  ],
  async run({ values, positionals }, context) {
    const [given, ...others] = positionals;
    const action = actions.find((known) => known === given);
    if (action === undefined || others.length > 0) {
      const what = given === undefined ? "Nothing to do" : `"${positionals.join(" ")}" is unknown`;
      throw new UsageError(`${what}; use one of ${actions.join(", ")}. See: agents keys --help`);
    }
    const { defaultKeysFile, KeyFileError } = await import("@agent-backends/kit/auth");
    const configured = context.environment.AUTH_KEYS_FILE?.trim();
    const path = values.file ?? (configured || defaultKeysFile);
    const isDefault = values.file === undefined && !configured;
    if (isDefault && process.cwd() !== root && !existsSync(path)) {
      context.out.note(
        `Only services that start in ${process.cwd()} use ${path}. For those of ${root}, run the command there, or name their file: --file ${resolve(root, path)}`,
      );
    }
    try {
      await run(action, values, { path, isDefault, context });
    } catch (error) {
      if (error instanceof KeyFileError)
        throw new CommandError(`${path} ${error.message}: correct it, or move it away.`);
      throw error;
    }
  },
});

async function run(
  action: (typeof actions)[number],
  values: Values<typeof options>,
  { path, isDefault, context: { out } }: { path: string; isDefault: boolean; context: Context },
): Promise<void> {
  const { addKey, changeKeys, describeKeys, readKeys, removeKey } = await import("../keys.ts");
  if (action === "list") {
    const list = await readKeys(path);
    out.result({ file: path, keys: list }, describeKeys(list, path));
    return;
  }
  const name = values.name?.trim();
  if (!name) throw new UsageError("Give the key a name: --name my-app");
  if (action === "remove") {
    await changeKeys(path, (list) => removeKey(list, name));
    out.result({ file: path, removed: name }, `Removed "${name}" from ${path}.`);
    return;
  }
  const about = { name, namespaces: parseNamespaces(values.namespace), ...parseLimits(values) };
  let key = "";
  await changeKeys(path, (list) => {
    const added = addKey(list, about);
    key = added.key;
    return added.keys;
  });
  for (const namespace of about.namespaces.filter((given) => given.includes(","))) {
    out.note(`The key may use one namespace with the name "${namespace}". For several namespaces, repeat --namespace.`);
  }
  out.note(`Added "${name}" to ${path}. This is the key. It can't be shown again:`);
  if (isDefault)
    out.note(`Services on a public HOST now ask for keys. For others, set AUTH_KEYS_FILE=${path} and restart them.`);
  out.result({ file: path, name, key }, key);
}

function parseNamespaces(given: readonly string[] = []): string[] {
  if (given.some((namespace) => namespace === "")) throw new UsageError("--namespace can't be empty.");
  if (given.length === 0) {
    throw new UsageError(
      "Name the namespaces that the key may use: --namespace my-namespace, or --namespace '*' for all.",
    );
  }
  return [...given];
}

function parseLimits(values: Values<typeof options>) {
  const parseCount = (option: "rate" | "tokens-per-minute" | "tokens-per-day") => {
    const text = values[option];
    return text === undefined ? undefined : parseWholeNumber(text, `--${option}`, { min: 1, max: maxCount });
  };
  const scopes = (values.scope ?? [])
    .flatMap((list) => list.split(","))
    .map((given) => {
      const scope = scopeNames.find((known) => known === given.trim());
      if (!scope) throw new UsageError(`--scope ${given} is unknown; use one of ${scopeNames.join(", ")}.`);
      return scope;
    });
  return {
    scopes,
    rate: parseCount("rate"),
    tokensPerMinute: parseCount("tokens-per-minute"),
    tokensPerDay: parseCount("tokens-per-day"),
  };
}
