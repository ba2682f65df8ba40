/**
 * Work on a namespace that one process at a time should do, such as merging its files. If two do it all the same, because one stood
 * still for too long, the engine lets only one of them commit.
 */
export interface Leases {
  /**
   * Works while this process holds the lease of this name. `undefined` when another one holds it.
   *
   * @param options.isKept whether the lease may stay with this process until it ends, because more work will follow
   */
  run<Result extends object | boolean>(
    name: string,
    work: () => Promise<Result>,
    options?: { isKept: boolean },
  ): Promise<Result | undefined>;

  /** Leaves what this process holds to others. */
  close(): Promise<void>;
}

/** Another process may take a lease that was not renewed for this long. */
export const upkeepLeaseMs = 15_000;

/** Runs work, and renews its lease meanwhile. A renewal that fails is repeated by the next one. */
export async function renewWhile<Result>(
  renew: () => Promise<unknown>,
  work: () => Promise<Result>,
  leaseMs: number,
): Promise<Result> {
  const timer = setInterval(() => void renew().catch(() => undefined), leaseMs / 3);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
