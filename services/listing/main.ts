import { runService } from "@agent-backends/kit";
import { listingVariables } from "./configuration.ts";

await runService({
  name: "listing",
  directory: import.meta.dirname,
  variables: listingVariables,
  // Loaded only once the variables are right, and not in the primary of several workers.
  start: async (...parts) => (await import("./start.ts")).startListing(...parts),
});
