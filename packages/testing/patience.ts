/** Timeout of `vi.waitFor` for conditions that an idle machine meets at once. Its default of one second is too short on a busy machine. */
export const patience = { timeout: 30_000 };
