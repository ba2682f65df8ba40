import type { SearchFilter } from "@agent-backends/client";
import type { Command, Options } from "./command.ts";
import { UsageError } from "./command.ts";

/** Options of every command. */
export const commonOptions = {
  json: { type: "boolean", description: "print the result as JSON, for programs" },
  help: { type: "boolean", short: "h", description: "show this help" },
} as const satisfies Options;

/** Further options of commands that talk to a service. */
export const connectionOptions = {
  url: { type: "string", value: "URL", description: "the address of the service" },
  key: {
    type: "string",
    value: "KEY",
    description: "the key to send; AGENTS_KEY is safer, because other users of the machine can see arguments",
  },
} as const satisfies Options;

export const namespaceOption = {
  namespace: { type: "string", short: "n", value: "NAMESPACE", description: "the namespace (default: default)" },
} as const satisfies Options;

export const allOptions = (command: Command): Options => ({
  ...command.options,
  ...(command.service === undefined ? {} : connectionOptions),
  ...commonOptions,
});

/** Joins the words of a question, so that it needs no quotes in the shell. @throws UsageError if there are none */
export function requireText(positionals: readonly string[], what: string, example: string): string {
  const text = positionals.join(" ").trim();
  if (text === "") throw new UsageError(`${what} is missing, for example: ${example}`);
  return text;
}

/** @throws UsageError unless the text is a whole number within the range */
export function parseWholeNumber(text: string, option: string, range: { min: number; max: number }): number {
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= range.min && value <= range.max)) {
    throw new UsageError(`${option} is "${text}"; use a whole number from ${range.min} to ${range.max}.`);
  }
  return value;
}

/** @throws UsageError unless the text is a number from 0 to 1 */
export function parseScore(text: string | undefined, option: string): number | undefined {
  if (text === undefined) return undefined;
  const score = Number(text);
  if (!(text.trim() !== "" && score >= 0 && score <= 1)) {
    throw new UsageError(`${option} is "${text}"; use a number from 0 to 1.`);
  }
  return score;
}

type Fields = Record<string, string | number | boolean | (string | number | boolean)[]>;

/**
 * Parses an option that is given as `team=legal`, repeated for several fields or a list, or as a JSON object. The service validates JSON
 * values, and names the wrong one.
 *
 * @throws UsageError
 */
export function parseFields(texts: readonly string[] | undefined, option: string): Fields | undefined {
  if (texts === undefined) return undefined;
  const fields: Fields = {};
  for (const text of texts) {
    const [, name, value = ""] = /^\s*([^\s{[="][^=]*)=(.*)$/s.exec(text) ?? [];
    if (name === undefined) Object.assign(fields, parseJsonObject(text, option));
    else fields[name] = name in fields ? [fields[name] ?? [], parseScalar(value)].flat() : parseScalar(value);
  }
  return fields;
}

/**
 * Reads a number or boolean if the text is written exactly as in JSON, else a string. A number that would lose digits, such as 007, is a
 * string.
 */
function parseScalar(text: string): string | number | boolean {
  if (text === "true" || text === "false") return text === "true";
  return text !== "" && String(Number(text)) === text && Number.isFinite(Number(text)) ? Number(text) : text;
}

function parseJsonObject(text: string, option: string): Fields {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = undefined;
  }
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw new UsageError(`${option} is "${text}"; use FIELD=VALUE, such as team=legal, or a JSON object.`);
  }
  return value as Fields;
}

export const filterOption = {
  filter: {
    type: "string",
    multiple: true,
    value: "FIELD=VALUE",
    description: 'only documents with this field; also as JSON: \'{"team": ["legal", "sales"]}\'',
  },
} as const satisfies Options;

export const metadataOption = {
  metadata: {
    type: "string",
    multiple: true,
    value: "FIELD=VALUE",
    description: 'a field to store with each document; also as JSON: \'{"team": "legal"}\'',
  },
} as const satisfies Options;

/** Options that say where `ask`, `search` and `chat` search. */
export const searchScopeOptions = {
  namespace: {
    type: "string",
    short: "n",
    multiple: true,
    value: "NAMESPACE",
    description: "the namespace, or up to 8 (default: default)",
  },
  ...filterOption,
} as const satisfies Options;

/** The request's fields for one namespace or several. */
export function searchScope({ namespace = [] }: { namespace?: readonly string[] | undefined }) {
  return namespace.length > 1 ? { namespaces: [...namespace] } : { namespace: namespace[0] };
}

export const parseFilter = (texts: readonly string[] | undefined): SearchFilter | undefined =>
  parseFields(texts, "--filter");

/** Options that select the files of a folder for `ingest` and `sync`. */
export const walkOptions = {
  include: { type: "string", multiple: true, value: "GLOB", description: "only files with these names: '*.md'" },
  exclude: {
    type: "string",
    multiple: true,
    value: "GLOB",
    description: "leave out these files or folders: drafts, 'old/**'",
  },
  hidden: { type: "boolean", description: "include hidden files" },
  links: { type: "boolean", description: "follow symbolic links" },
} as const satisfies Options;
