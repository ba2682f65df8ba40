import { hasEnded } from "../../temporary-files.ts";

/** A lease as it was read. `beat` is a new text after each renewal. */
interface LeaseRow {
  id: string;
  /** The mark of the holder's process. Empty once the lease has been released. */
  holder: string;
  beat: string;
}

/**
 * Finds leases that have expired. Machines that share a store may have different clocks, so each one measures by its own clock for how
 * long it has seen no renewal.
 */
export class LeaseWatch {
  readonly #leaseMs: number;
  #seen = new Map<string, { beat: string; since: number }>();

  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** @param rows all existing leases */
  findEnded<Row extends LeaseRow>(rows: readonly Row[]): Row[] {
    const now = performance.now();
    const seen = new Map<string, { beat: string; since: number }>();
    for (const { id, beat } of rows) {
      const before = this.#seen.get(id);
      seen.set(id, before?.beat === beat ? before : { beat, since: now });
    }
    this.#seen = seen;
    return rows.filter(({ id, holder }) => {
      if (holder === "" || hasEnded(holder)) return true;
      return now - (seen.get(id)?.since ?? now) >= this.#leaseMs;
    });
  }

  /** Call this when the leases can't be read: their holders may have been unable to renew them for the same time. */
  forget(): void {
    this.#seen.clear();
  }
}
