import { readFileSync } from "node:fs";
import * as contract from "@agent-backends/contract";
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

const { filter, purge } = contract.deleteDocumentsQuerySchema.shape;
const writer = new TypeWriter(
  new Map<z.core.$ZodType, string>([
    [contract.listingEventSchema.options[0].shape.args, "object"],
    [filter, "SearchFilter"],
    [purge, "boolean"],
  ]),
);
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

const head = "// Generated from packages/contract by `npm run docs:tables`. Change it there.";
const file = (...declarations: string[]) => `${[head, ...declarations].join("\n\n")}\n`;

const listingTools = Object.entries(contract.listingTools).map(([tool, { request, payload }]) => {
  const name = tool.replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
  // Knowledge has a request of that name, and the package exports both.
  return { tool, name, request, payload, requestName: name === "Search" ? "LaunchSearchRequest" : `${name}Request` };
});

/** The files of packages/client/generated. They are plain declarations, so that clients need neither zod nor the contract. */
export const clientTypes: Readonly<Record<string, string>> = {
  "problems.ts": file(
    union("ProblemCode", Object.keys(contract.problemTypes)),
    ...copy("problem-error.ts", "InvalidField", "ProblemDetails"),
  ),
  "knowledge.ts": file(
    union("IngestErrorCode", Object.keys(contract.ingestErrorCodes)),
    ...declare(
      received("Warning", contract.searchResponseSchema.shape.warnings.unwrap().element),
      sent("CustomMetadata", contract.customMetadataSchema),
      sent("SearchFilter", contract.searchFilterSchema),
      sent("SearchRequest", contract.searchRequestSchema),
      received("ChunkPlace", contract.chunkPlaceSchema),
      received("ChunkMetadata", contract.chunkMetadataSchema),
      received("SearchResponse", contract.searchResponseSchema),
      sent("ConversationMessage", contract.conversationMessageSchema),
      sent("GenerateRequest", contract.generateRequestSchema),
      received("Citation", contract.citationSchema),
      received("GenerateResponse", contract.generateResponseSchema),
      sent(
        "StreamFields",
        contract.streamRequestSchema,
        "tool_params",
        "toolParams",
        "thread_id",
        "run_id",
        "include_tool_events",
      ),
      received("ReplyEvent", contract.replyEventSchema),
      received("ToolEvent", contract.toolEventSchema),
      // An unknown type is an error of the item, not of the request, so the schema accepts any text.
      sent("Source", contract.sourceSchema.extend({ type: z.enum(["text", "markdown", "url"]) })),
      sent("IngestFields", contract.ingestRequestSchema, "sources"),
      received("IngestResponse", contract.ingestResponseSchema),
      sent("SitemapRequest", contract.sitemapRequestSchema),
      received("SitemapResponse", contract.sitemapResponseSchema),
      received("JobAccepted", contract.jobAcceptedSchema),
      received("JobItem", contract.jobItemSchema),
      received("Job", contract.jobSchema),
      received("JobSummary", contract.jobSummarySchema),
      received("JobEvent", contract.jobEventSchema),
      sent("JobsQuery", contract.jobsQuerySchema),
      received("JobsResponse", contract.jobsResponseSchema),
      sent("NamespacesQuery", contract.namespacesQuerySchema),
      received("NamespacesResponse", contract.namespacesResponseSchema),
      sent("DocumentsQuery", contract.documentsQuerySchema),
      received("DocumentMetadata", contract.changedDocumentResponseSchema.shape.metadata),
      received("DocumentSummary", contract.documentSummarySchema),
      received("DocumentsResponse", contract.documentsResponseSchema),
      received("ChangedDocumentResponse", contract.changedDocumentResponseSchema),
      sent("ChangesQuery", contract.changesQuerySchema),
      received("ChangeEvent", contract.changeEventSchema),
      received("DocumentResponse", contract.documentResponseSchema),
      received("ChunksResponse", contract.chunksResponseSchema),
      sent("DocumentChange", contract.documentChangeSchema),
      sent("DeleteDocumentsQuery", contract.deleteDocumentsQuerySchema, "cursor"),
      received("DeleteDocumentsResponse", contract.deleteDocumentsResponseSchema),
      received("ImportResponse", contract.importResponseSchema),
    ),
  ),
  "listing.ts": file(
    ...declare(
      received("Product", contract.productSchema),
      received("TimeframeWindow", contract.timeframeWindowSchema),
      received("UnavailableReason", contract.unavailableReasonSchema),
      received("Provenance", contract.provenanceSchema),
      ...listingTools.map(({ name, payload }) => received(`${name}Payload`, payload)),
      received("ListPayload", contract.listPayloadSchema),
      received("ListingPayload", contract.listingPayloadSchema),
      ...listingTools.map(({ requestName, request }) => sent(requestName, request)),
      sent("ListingAgentRequest", contract.listingAgentRequest, "threadId", "runId", "toolParams"),
      received("ListingEvent", contract.listingEventSchema),
    ),
    [
      "/** The request and the payload of each tool. */\nexport interface ListingTools {",
      ...listingTools.map(
        ({ tool, name, requestName }) => `  ${tool}: { request: ${requestName}; payload: ${name}Payload };`,
      ),
      "}",
    ].join("\n"),
  ),
  "relay.ts": file(
    union("RelayProfile", contract.relayProfiles),
    ...copy("relay.ts", "TokenUsage"),
    ...declare(received("ContractEvent", contract.contractEventSchema)),
    ...copy("ag-ui-events.ts", "AgUiEvent", "AgUi0Event"),
    ...declare(
      sent("RunContentPart", contract.runContentPartSchema),
      sent("RunMessage", contract.runMessageSchema),
      sent("RunTool", contract.runToolSchema),
      sent("RunInputFields", contract.runInputSchema, "threadId", "runId"),
    ),
  ),
};
