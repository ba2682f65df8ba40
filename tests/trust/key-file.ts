import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";

export interface TestKey {
  name: string;
  key: string;
  namespaces?: string[];
  scopes?: string[];
  rate?: number;
  tokensPerMinute?: number;
  tokensPerDay?: number;
}

export function writeKeys(path: string, keys: readonly TestKey[]): Promise<void> {
  const entries = keys.map(({ key, scopes = ["ask", "read", "write"], namespaces = [], ...about }) => {
    return { ...about, scopes, namespaces, sha256: createHash("sha256").update(key).digest("hex") };
  });
  return writeFile(path, JSON.stringify({ keys: entries }));
}
