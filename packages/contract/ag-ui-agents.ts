import { z } from "zod";
import type { AgUi0Event, AgUiEvent } from "./ag-ui-events.ts";
import { citationSchema } from "./knowledge/librarian.ts";
import { namesOneKind, namespaceSchema, namespacesSchema } from "./knowledge/namespaces.ts";
import { searchFilterSchema } from "./knowledge/search.ts";
import { optionalText, wholeNumber } from "./listing/actions.ts";
import { listingLimits } from "./listing/limits.ts";
import type { ContractEvent } from "./relay.ts";
import { relayQuerySchema } from "./relay.ts";
import { isBlank, optional } from "./shapes.ts";

/** Parameters that the librarian reads from `forwardedProps` and `state` of a run input of `POST /agui`. */
export const knowledgeRunParametersSchema = z
  .object({
    namespace: namespaceSchema,
    namespaces: namespacesSchema,
    filter: optional(searchFilterSchema),
  })
  .refine(...namesOneKind);

/** The query of the knowledge service's `POST /agui`. */
export const knowledgeRunQuerySchema = relayQuerySchema.extend({ namespace: namespaceSchema });

const rankingParameters = {
  timeframe: optionalText(listingLimits.timeframeLength),
  tz: optionalText(listingLimits.timezoneLength),
};

/** Parameters that the analyst reads from `forwardedProps` and `state` of a run input of `POST /agui`. */
export const listingRunParametersSchema = z.object({ ...rankingParameters, limit: optional(wholeNumber) });

/** The query of the listing service's `POST /agui`. */
export const listingRunQuerySchema = relayQuerySchema.extend({
  ...rankingParameters,
  limit: z.preprocess((text) => (isBlank(text ?? null) ? undefined : Number(text)), optional(wholeNumber)),
});

export type KnowledgeRunParameters = z.output<typeof knowledgeRunParametersSchema>;
export type ListingRunParameters = z.output<typeof listingRunParametersSchema>;

/** The name of the event that carries a librarian's citations. */
export const citationsEventName = "agent-backends.citations";

/** Events of the agents' `POST /agui` that the relay doesn't send. */
export const agentOnlyEventSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("TOOL_CALL_RESULT"),
    messageId: z.string(),
    toolCallId: z.string(),
    /** JSON. */
    content: z.string(),
    role: z.literal("tool"),
  }),
  z.object({
    type: z.literal("CUSTOM"),
    name: z.literal(citationsEventName),
    value: z.object({
      /** The message that ends the answer. */
      messageId: z.string(),
      citations: z.array(citationSchema),
    }),
  }),
]);

type AgentOnlyEvent = z.output<typeof agentOnlyEventSchema>;

/** The events of the agents' `POST /agui` in all profiles. */
export type AgentRunEvent = ContractEvent | AgUiEvent | AgUi0Event | AgentOnlyEvent;
