import { randomBytes } from "node:crypto";
import type { KeyEntry, Scope } from "@agent-backends/kit/auth";
import { defaultScopes, digestOf } from "@agent-backends/kit/auth";

/** What a user did wrong, in a sentence that says what would be right. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

const keyBytes = 32;
/** So that people and scanners of leaked secrets know one when they see it. */
const keyPrefix = "abk_";

export interface NewKey {
  name: string;
  namespaces: string[];
  scopes: Scope[];
  rate: number | undefined;
}

/** Adds a key with a name of its own, and gives it together with the keys as they are then. */
export function addKey(keys: readonly KeyEntry[], { name, namespaces, scopes, rate }: NewKey) {
  if (keys.some((key) => key.name === name)) {
    throw new UsageError(`There is a key named "${name}" already; choose another name, or remove it first.`);
  }
  const key = keyPrefix + randomBytes(keyBytes).toString("base64url");
  const entry: KeyEntry = {
    name,
    sha256: digestOf(key).toString("hex"),
    scopes: scopes.length > 0 ? scopes : [...defaultScopes],
    namespaces,
    rate,
  };
  return { key, keys: [...keys, entry] };
}

/** The keys without those of a name. */
export function removeKey(keys: readonly KeyEntry[], name: string): KeyEntry[] {
  const left = keys.filter((key) => key.name !== name);
  if (left.length === keys.length) throw new UsageError(`There is no key named "${name}"; see them with: list`);
  return left;
}

/** One line per key: all that is known of it. */
export function describeKeys(keys: readonly KeyEntry[]): string {
  if (keys.length === 0) return "There are no keys.";
  return keys
    .map(({ name, sha256, scopes, namespaces, rate }) =>
      [
        name,
        `scopes ${scopes.join(",") || "none"}`,
        `namespaces ${namespaces.map((namespace) => JSON.stringify(namespace)).join(",") || "none"}`,
        `rate ${rate === undefined ? "as the service allows" : `${rate} a minute`}`,
        `sha256 ${sha256.slice(0, 8)}…`,
      ].join("  "),
    )
    .join("\n");
}
