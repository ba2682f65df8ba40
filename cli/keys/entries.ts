import { randomBytes } from "node:crypto";
import type { KeyEntry, Scope } from "@agent-backends/kit/auth";
import { defaultScopes, hashKey } from "@agent-backends/kit/auth";
import { CommandError } from "../command.ts";

const keyBytes = 32;
/** Lets people and secret scanners recognise a key. */
const keyPrefix = "abk_";

export interface NewKey {
  name: string;
  namespaces: string[];
  scopes: Scope[];
  rate: number | undefined;
  tokensPerMinute: number | undefined;
  tokensPerDay: number | undefined;
}

/** Adds a key with a unique name. Returns the key and the new list. */
export function addKey(keys: readonly KeyEntry[], { name, scopes, ...about }: NewKey) {
  if (keys.some((key) => key.name === name)) {
    throw new CommandError(`There is a key named "${name}" already; choose another name, or remove it first.`);
  }
  const key = keyPrefix + randomBytes(keyBytes).toString("base64url");
  const entry: KeyEntry = {
    name,
    sha256: hashKey(key).toString("hex"),
    scopes: scopes.length > 0 ? scopes : [...defaultScopes],
    ...about,
  };
  return { key, keys: [...keys, entry] };
}

/** The keys without the one of this name. */
export function removeKey(keys: readonly KeyEntry[], name: string): KeyEntry[] {
  const left = keys.filter((key) => key.name !== name);
  if (left.length === keys.length)
    throw new CommandError(`There is no key named "${name}"; see them with: agents keys list`);
  return left;
}

/** One line per key. The key itself isn't stored and can't be shown. */
export function describeKeys(keys: readonly KeyEntry[], file: string): string {
  if (keys.length === 0) return `There are no keys in ${file}.`;
  return keys
    .map(({ name, sha256, scopes, namespaces, rate, tokensPerMinute, tokensPerDay }) =>
      [
        name,
        `scopes ${scopes.join(",") || "none"}`,
        `namespaces ${namespaces.map((namespace) => JSON.stringify(namespace)).join(",") || "none"}`,
        `rate ${rate === undefined ? "as the service allows" : `${rate} a minute`}`,
        ...(tokensPerMinute === undefined ? [] : [`${tokensPerMinute} tokens a minute`]),
        ...(tokensPerDay === undefined ? [] : [`${tokensPerDay} tokens a day`]),
        `sha256 ${sha256.slice(0, 8)}…`,
      ].join("  "),
    )
    .join("\n");
}
