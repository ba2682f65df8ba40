export { agUiOperations, agUiRunOperations } from "./ag-ui.ts";
export { mcpOperations, serviceOperations } from "./common.ts";
export type { ApiDescription } from "./document.ts";
export { buildOpenApi } from "./document.ts";
export { knowledgeOperations } from "./knowledge.ts";
export { listingOperations } from "./listing.ts";
export type { Operation, Operations, Route } from "./operation.ts";
export { findProblems } from "./problem-responses.ts";
export { relayOperations } from "./relay.ts";
