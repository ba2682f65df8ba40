import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";

/** A purge rewrites the files that held what was deleted. */
export const purges = new FairQueue({
  concurrency: knowledgeLimits.purges,
  concurrencyPerClient: knowledgeLimits.purgesPerClient,
});
