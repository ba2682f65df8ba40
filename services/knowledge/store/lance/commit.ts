import { setTimeout } from "node:timers/promises";
import { knowledgeLimits } from "@agent-backends/contract";

/** Doubles on each attempt. */
const initialRetryDelayMs = 5;

/** Of the engine's errors, which have no name of their own, those by which nothing was committed since another writer came first. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error && /commit conflict for version|Too many concurrent write/i.test(error.message);

/**
 * Commits a change of a table, again when other writers come first. The engine itself tries again only where it can join both changes,
 * which it can't when one of them adds a column.
 */
export async function commit<Result>(change: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await change();
    } catch (error) {
      if (!isConflict(error) || attempt === knowledgeLimits.commitAttempts) throw error;
      await setTimeout(initialRetryDelayMs * 2 ** (attempt - 1));
    }
  }
}
