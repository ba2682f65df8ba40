import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissing, makeDurableFolder } from "../../files.ts";
import { LeaseFile, takeNextLease } from "../../lease-file.ts";
import type { Leases } from "./leases.ts";
import { renewWhile, upkeepLeaseMs } from "./leases.ts";

/** Leases between the processes that share a folder. Each lease is a file that exists while its work runs. */
export class FolderLeases implements Leases {
  readonly #folder: string;
  readonly #leaseMs: number;

  constructor(folder: string, leaseMs = upkeepLeaseMs) {
    this.#folder = folder;
    this.#leaseMs = leaseMs;
  }

  async run<Result extends object | boolean>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const lease = await this.#acquire(name);
    if (!lease) return undefined;
    try {
      return await renewWhile(() => lease.renew(), work, this.#leaseMs);
    } finally {
      await lease.remove();
    }
  }

  async close(): Promise<void> {
    // Nothing to release: a lease is held only while its work runs.
  }

  async #acquire(name: string): Promise<LeaseFile | undefined> {
    await makeDurableFolder(this.#folder);
    const prefix = `${name}.`;
    const numbers = ((await readdir(this.#folder).catch(ignoreMissing)) ?? [])
      .filter((file) => file.startsWith(prefix))
      .map((file) => Number(file.slice(prefix.length)));
    const open = (number: number) => new LeaseFile(join(this.#folder, `${prefix}${number}`));
    const latest = Math.max(0, ...numbers);
    const taken = await takeNextLease(latest, open, this.#leaseMs);
    if (taken === undefined) return undefined;
    for (const number of numbers) await open(number).remove();
    return open(taken);
  }
}
