/** How long `vi.waitFor` waits for what comes at once on an idle machine. Its own second is too short for a busy one. */
export const patience = { timeout: 30_000 };
