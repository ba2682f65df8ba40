import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ignoreMissing, makeDurableFolder } from "../../files.ts";
import { LeaseFile } from "../../lease-file.ts";
import type { Leases } from "./leases.ts";
import { renewWhile, upkeepLeaseMs } from "./leases.ts";

/** Leases between the processes that share a folder: each is a file while its work runs. */
export class FolderLeases implements Leases {
  readonly #folder: string;
  readonly #leaseMs: number;

  constructor(folder: string, leaseMs = upkeepLeaseMs) {
    this.#folder = folder;
    this.#leaseMs = leaseMs;
  }

  async run<Result extends object | boolean>(name: string, work: () => Promise<Result>): Promise<Result | undefined> {
    const lease = await this.#take(name);
    if (!lease) return undefined;
    try {
      return await renewWhile(() => lease.renew(), work, this.#leaseMs);
    } finally {
      await lease.remove();
    }
  }

  async close(): Promise<void> {
    // Nothing is held without work.
  }

  /** The file of a holder that died stays. Of those that take over from it, one creates the file of the next number. */
  async #take(name: string): Promise<LeaseFile | undefined> {
    await makeDurableFolder(this.#folder);
    const prefix = `${name}.`;
    const numbers = ((await readdir(this.#folder).catch(ignoreMissing)) ?? [])
      .filter((file) => file.startsWith(prefix))
      .map((file) => Number(file.slice(prefix.length)));
    const open = (number: number) => new LeaseFile(join(this.#folder, `${prefix}${number}`));
    const latest = Math.max(0, ...numbers);
    if (await open(latest).isHeld(this.#leaseMs)) return undefined;
    const lease = open(latest + 1);
    if (!(await lease.create())) return undefined;
    for (const number of numbers) await open(number).remove();
    return lease;
  }
}
