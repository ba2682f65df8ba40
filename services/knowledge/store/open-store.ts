import { stat } from "node:fs/promises";
import { resolve } from "node:path";
import type { Logger } from "@agent-backends/kit";
import { ConfigurationError } from "@agent-backends/kit";
import { probeConditionalWrites } from "./conditional-writes.ts";
import type { OpenedStore } from "./knowledge-store.ts";

interface StoreOptions {
  logger: Logger;
  environment: Readonly<Record<string, string | undefined>>;
  fetch: typeof fetch;
  /** Maximum time that deleted text may stay in the store. Without it, this process doesn't remove the text. */
  purgeAfterMs?: number;
  /** Number of processes that share the machine's memory. */
  workers?: number;
  connections?: number;
}

/**
 * Opens the store at a location: a folder, the address of an object store (`s3://…`, `gs://…`, `az://…`), or that of a database
 * (`postgres://…`). Loads only the engine that the location needs.
 *
 * @throws ConfigurationError if processes would overwrite each other's documents there, the folder is a file, or the address is invalid
 */
export async function openStore(
  location: string,
  { logger, environment, fetch, purgeAfterMs, workers = 1, connections }: StoreOptions,
): Promise<OpenedStore> {
  const options = { logger, ...(purgeAfterMs !== undefined && { purgeAfterMs }) };
  if (/^postgres(?:ql)?:/.test(location)) {
    const { openPostgres } = await import("./postgres/open-postgres.ts");
    return openPostgres(location, { ...options, connections });
  }
  const folder = /^\w[\w+.-]+:\/\//.test(location) ? undefined : resolve(location);
  if (folder === undefined) await requireConditionalWrites(location, { logger, environment, fetch });
  // A folder that can't be opened may be a volume that comes back. `check` reports it.
  else if ((await stat(folder).catch(() => undefined))?.isFile())
    throw new ConfigurationError([
      `KNOWLEDGE_STORE ${location} is a file: set it to a folder, such as ./data/knowledge`,
    ]);
  // LanceDB reads this as it is loaded. Its warnings, such as those about clusters of a vector index, tell nothing that an operator
  // could act on, and aren't JSON lines.
  process.env.LANCEDB_LOG ??= "error";
  const { openLance } = await import("./lance/open-lance.ts");
  return openLance(folder === undefined ? { address: location } : { folder }, { ...options, workers });
}

async function requireConditionalWrites(
  address: string,
  { logger, environment, fetch }: Pick<StoreOptions, "logger" | "environment" | "fetch">,
): Promise<void> {
  const writes = await probeConditionalWrites(address, environment, fetch);
  if (writes === "ignored") {
    throw new ConfigurationError([
      "KNOWLEDGE_STORE is on an object store that ignores `If-None-Match: *`, so that processes would overwrite each other's documents: use one that honours it, or a folder",
    ]);
  }
  if (typeof writes === "object")
    logger.warn(`whether the object store honours If-None-Match is not known: ${writes.unknown}`);
}
