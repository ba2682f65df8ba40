/**
 * Leases for work on a namespace that only one process at a time should do, such as merging its files. If two processes do it anyway,
 * because one was paused for too long, the engine lets only one of them commit.
 */
export interface Leases {
  /**
   * Runs work while this process holds the lease of this name. Resolves with `undefined` if another process holds it.
   *
   * @param options.isKept whether this process may keep the lease until it expires, because more work will follow
   */
  run<Result extends object | boolean>(
    name: string,
    work: () => Promise<Result>,
    options?: { isKept: boolean },
  ): Promise<Result | undefined>;

  /** Releases the leases of this process. */
  close(): Promise<void>;
}

/** Another process may take a lease that wasn't renewed for this long. */
export const upkeepLeaseMs = 15_000;

/** Runs work, and renews its lease in the meantime. A failed renewal is repeated by the next one. */
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
