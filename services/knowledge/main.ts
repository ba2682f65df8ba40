import { runService } from "@agent-backends/kit";
import { knowledgeVariables } from "./configuration.ts";

await runService({
  name: "knowledge",
  directory: import.meta.dirname,
  variables: knowledgeVariables,
  // Loaded only once the variables are right, and not in the primary of several workers.
  start: async (...parts) => (await import("./start.ts")).startKnowledge(...parts),
});
