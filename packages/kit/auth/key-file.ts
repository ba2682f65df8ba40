import { hash } from "node:crypto";
import { z } from "zod";
import { findSimilarName } from "../fields/similar-name.ts";
import { defaultScopes, Principal, scopes } from "./principal.ts";

const maxKeys = 100_000;

const buildLimitSchema = (what: string) =>
  z
    .int(`must be a whole number of ${what}`)
    .positive(`must be at least 1, the number of ${what}`)
    .nullish()
    .transform((given) => given ?? undefined);

const keyFields = z.object({
  name: z.string("is missing: give the key a name").trim().min(1, "is blank").max(128, "is longer than 128 characters"),
  sha256: z
    .string("is missing: give the SHA-256 of the key")
    .regex(/^[0-9a-f]{64}$/i, "must be the SHA-256 of the key, 64 hexadecimal digits")
    .transform((digits) => digits.toLowerCase()),
  scopes: z
    .array(z.enum(scopes, `must be among ${scopes.join(", ")}`), "must be a list of scopes")
    .default([...defaultScopes]),
  namespaces: z
    .array(
      z.string("must be text").min(1, "is empty").max(256, "is longer than 256 characters"),
      "must be a list of names",
    )
    .default([]),
  rate: buildLimitSchema("requests per minute"),
  tokensPerMinute: buildLimitSchema("tokens per minute"),
  tokensPerDay: buildLimitSchema("tokens per day"),
});

const fieldNames = Object.keys(keyFields.shape);

/** A misspelt field would otherwise silently leave a key without its limits or namespaces. Other unknown fields are the operator's own. */
const keySchema = z
  .looseObject({})
  .superRefine((entry, context) => {
    for (const name of Object.keys(entry).filter((given) => !fieldNames.includes(given))) {
      const similar = findSimilarName(name, fieldNames);
      if (similar !== undefined) context.addIssue(`has ${name}, which is read by nobody (did you mean ${similar}?)`);
    }
  })
  .pipe(keyFields);

/** The content of `AUTH_KEYS_FILE`. It holds the SHA-256 of each key, never the key. */
export const keyFileSchema = z.object(
  { keys: z.array(keySchema, "must be a list of keys").max(maxKeys, `holds more than ${maxKeys} keys`) },
  'must be an object such as {"keys": []}',
);
export type KeyEntry = z.output<typeof keySchema>;

/** An invalid key file. The message names the field but never repeats its value. */
export class KeyFileError extends Error {
  override readonly name = "KeyFileError";
}

/** @throws KeyFileError */
export function parseKeyFile(text: string): KeyEntry[] {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    throw new KeyFileError("is not JSON");
  }
  const parsed = keyFileSchema.safeParse(json);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join(".");
    throw new KeyFileError(`${place ? `${place} ` : ""}${issue?.message}`);
  }
  const { keys } = parsed.data;
  if (new Set(keys.map(({ sha256 }) => sha256)).size < keys.length) {
    throw new KeyFileError("holds two keys with the same sha256");
  }
  return keys;
}

export const hashKey = (key: string): Buffer => hash("sha256", key, "buffer");

export interface KnownKey {
  digest: Buffer;
  principal: Principal;
}

/** Indexes keys by their hexadecimal digest. */
export function indexKeys(entries: readonly KeyEntry[]): Map<string, KnownKey> {
  return new Map(
    entries.map(({ sha256, ...about }) => {
      const principal = new Principal({ id: sha256.slice(0, 16), ...about });
      return [sha256, { digest: Buffer.from(sha256, "hex"), principal }];
    }),
  );
}
