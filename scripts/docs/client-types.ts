import { readFileSync } from "node:fs";
import {
  changedDocumentResponseSchema,
  changeEventSchema,
  changesQuerySchema,
  chunkMetadataSchema,
  chunkPlaceSchema,
  chunksResponseSchema,
  citationSchema,
  confettiPayloadSchema,
  confettiRequest,
  contractEventSchema,
  conversationMessageSchema,
  customMetadataSchema,
  deleteDocumentsQuerySchema,
  deleteDocumentsResponseSchema,
  documentChangeSchema,
  documentResponseSchema,
  documentSummarySchema,
  documentsQuerySchema,
  documentsResponseSchema,
  generateRequestSchema,
  generateResponseSchema,
  importResponseSchema,
  ingestErrorCodes,
  ingestRequestSchema,
  ingestResponseSchema,
  jobAcceptedSchema,
  jobEventSchema,
  jobItemSchema,
  jobSchema,
  jobSummarySchema,
  jobsQuerySchema,
  jobsResponseSchema,
  listingAgentRequest,
  listingEventSchema,
  listingPayloadSchema,
  listPayloadSchema,
  namespacesQuerySchema,
  namespacesResponseSchema,
  problemTypes,
  productSchema,
  provenanceSchema,
  relayProfiles,
  replyEventSchema,
  runContentPartSchema,
  runInputSchema,
  runMessageSchema,
  runToolSchema,
  searchFilterSchema,
  searchPayloadSchema,
  searchRequest,
  searchRequestSchema,
  searchResponseSchema,
  sitemapRequestSchema,
  sitemapResponseSchema,
  sourceSchema,
  streamRequestSchema,
  timeframeWindowSchema,
  toolEventSchema,
  topPayloadSchema,
  topRequest,
  topTimeframePayloadSchema,
  topTimeframeRequest,
  unavailableReasonSchema,
} from "@agent-backends/contract";
import { z } from "zod";
import type { NamedSchema } from "./type-text.ts";
import { TypeWriter } from "./type-text.ts";

const received = (name: string, schema: z.core.$ZodType): NamedSchema => ({ name, schema, side: "output" });
const sent = (name: string, schema: z.core.$ZodType, ...omit: string[]): NamedSchema => ({
  name,
  schema,
  side: "input",
  omit,
});

const writer = new TypeWriter(new Map<z.core.$ZodType, string>([[listingEventSchema.options[0].shape.args, "object"]]));
const declare = (...schemas: NamedSchema[]) => schemas.map((schema) => writer.declare(schema));

const union = (name: string, values: readonly string[]) =>
  `export type ${name} =\n${values.map((value) => `  | ${JSON.stringify(value)}`).join("\n")};`;

/** Copies declarations that need no schema, with their comments. */
function copy(file: string, ...names: string[]): string[] {
  const source = readFileSync(`packages/contract/${file}`, "utf8");
  return names.map((name) => {
    const [declaration] =
      new RegExp(`(/\\*\\*(?:(?!\\*/)[^])*\\*/\\n)?export (interface|type) ${name}\\b[^]*?\\n(?=\\n|export|$)`).exec(
        source,
      ) ?? [];
    if (declaration === undefined) throw new Error(`${file} has no declaration of ${name}.`);
    return declaration.trimEnd();
  });
}

const head = "// Generated from packages/contract by `npm run docs`. Change it there.";
const file = (...declarations: string[]) => `${[head, ...declarations].join("\n\n")}\n`;

/** The files of packages/client/generated. Clients get plain declarations, so that they need neither zod nor the contract. */
export const clientTypes: Readonly<Record<string, string>> = {
  "problems.ts": file(
    union("ProblemCode", Object.keys(problemTypes)),
    ...copy("problem-error.ts", "InvalidField", "ProblemDetails"),
  ),
  "knowledge.ts": file(
    union("IngestErrorCode", Object.keys(ingestErrorCodes)),
    ...declare(
      received("Warning", searchResponseSchema.shape.warnings.unwrap().element),
      sent("CustomMetadata", customMetadataSchema),
      sent("SearchFilter", searchFilterSchema),
      sent("SearchRequest", searchRequestSchema),
      received("ChunkPlace", chunkPlaceSchema),
      received("ChunkMetadata", chunkMetadataSchema),
      received("SearchResponse", searchResponseSchema),
      sent("ConversationMessage", conversationMessageSchema),
      sent("GenerateRequest", generateRequestSchema),
      received("Citation", citationSchema),
      received("GenerateResponse", generateResponseSchema),
      sent(
        "StreamFields",
        streamRequestSchema,
        "tool_params",
        "toolParams",
        "thread_id",
        "run_id",
        "include_tool_events",
      ),
      received("ReplyEvent", replyEventSchema),
      received("ToolEvent", toolEventSchema),
      // An unknown type is the item's error and never the request's, so the schema takes any text.
      sent("Source", sourceSchema.extend({ type: z.enum(["text", "markdown", "url"]) })),
      sent("IngestFields", ingestRequestSchema, "sources"),
      received("IngestResponse", ingestResponseSchema),
      sent("SitemapRequest", sitemapRequestSchema),
      received("SitemapResponse", sitemapResponseSchema),
      received("JobAccepted", jobAcceptedSchema),
      received("JobItem", jobItemSchema),
      received("Job", jobSchema),
      received("JobSummary", jobSummarySchema),
      received("JobEvent", jobEventSchema),
      sent("ChangesQuery", changesQuerySchema),
      received("ChangeEvent", changeEventSchema),
      sent("JobsQuery", jobsQuerySchema),
      received("JobsResponse", jobsResponseSchema),
      sent("NamespacesQuery", namespacesQuerySchema),
      received("NamespacesResponse", namespacesResponseSchema),
      sent("DocumentsQuery", documentsQuerySchema),
      received("DocumentSummary", documentSummarySchema),
      received("DocumentsResponse", documentsResponseSchema),
      received("ChangedDocumentResponse", changedDocumentResponseSchema),
      received("DocumentResponse", documentResponseSchema),
      received("ChunksResponse", chunksResponseSchema),
      sent("DocumentChange", documentChangeSchema),
      sent("DeleteDocumentsQuery", deleteDocumentsQuerySchema, "cursor"),
      received("DeleteDocumentsResponse", deleteDocumentsResponseSchema),
      received("ImportResponse", importResponseSchema),
    ),
  ),
  "listing.ts": file(
    ...declare(
      received("Product", productSchema),
      received("TimeframeWindow", timeframeWindowSchema),
      received("UnavailableReason", unavailableReasonSchema),
      received("Provenance", provenanceSchema),
      received("TopPayload", topPayloadSchema),
      received("TopTimeframePayload", topTimeframePayloadSchema),
      received("SearchPayload", searchPayloadSchema),
      received("ConfettiPayload", confettiPayloadSchema),
      received("ListPayload", listPayloadSchema),
      received("ListingPayload", listingPayloadSchema),
      sent("TopRequest", topRequest),
      sent("TopTimeframeRequest", topTimeframeRequest),
      sent("LaunchSearchRequest", searchRequest),
      sent("ConfettiRequest", confettiRequest),
      sent("ListingAgentRequest", listingAgentRequest, "threadId", "runId", "toolParams"),
      received("ListingEvent", listingEventSchema),
    ),
  ),
  "relay.ts": file(
    union("RelayProfile", relayProfiles),
    ...copy("relay.ts", "TokenUsage"),
    ...declare(received("ContractEvent", contractEventSchema)),
    ...copy("ag-ui-events.ts", "AgUiEvent", "AgUi0Event"),
    ...declare(
      sent("RunContentPart", runContentPartSchema),
      sent("RunMessage", runMessageSchema),
      sent("RunTool", runToolSchema),
      sent("RunInputFields", runInputSchema, "threadId", "runId"),
    ),
  ),
};
