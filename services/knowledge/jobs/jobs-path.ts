import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * The folder of a store's jobs: beside its tables when it is a folder itself, else one of this machine, where jobs survive
 * a restart of the process but not the loss of the machine.
 */
export function jobsPathOf(storeLocation: string): string {
  if (!/^\w[\w+.-]+:\/\//.test(storeLocation)) return join(resolve(storeLocation), "jobs");
  const name = createHash("sha256").update(storeLocation).digest("hex").slice(0, 16);
  return join(tmpdir(), `knowledge-jobs-${name}`);
}
