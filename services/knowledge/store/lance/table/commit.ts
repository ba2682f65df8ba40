import { setTimeout } from "node:timers/promises";
import { knowledgeLimits } from "@agent-backends/contract";

/** Initial retry delay. Doubles on each attempt. */
const initialRetryDelayMs = 5;

/** Whether nothing was committed because another writer was first. The engine's errors have no names of their own. */
const isConflict = (error: unknown): boolean =>
  error instanceof Error &&
  /commit conflict for version|Incompatible transaction|Too many concurrent write/i.test(error.message);

/** Whether a table or one of its columns has disappeared. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error &&
  error.name === "Error" &&
  /\bnot found\b|No such file or directory|different schema|No vector column|does not exist/i.test(error.message);

/**
 * Commits a change of a table, and retries if other writers were first. The engine itself retries only if it can merge both changes,
 * which isn't possible if one of them adds a column.
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
