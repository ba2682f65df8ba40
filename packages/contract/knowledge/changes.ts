import { z } from "zod";
import { pageLimit } from "../shapes.ts";
import { changedDocumentResponseSchema } from "./documents.ts";
import { knowledgeLimits } from "./limits.ts";

export const changesQuerySchema = z.object({
  since: z
    .string()
    .optional()
    .describe("The cursor at the end of the last response. Without it all documents are `added`."),
  wait: pageLimit(knowledgeLimits.changeWaitSeconds).describe(
    "Seconds for which the response stays open and sends further changes as they happen.",
  ),
});

const documentFields = changedDocumentResponseSchema.omit({ namespace: true }).shape;

/** The lines of a feed of changes. A `cursor` line follows the changes that are known so far; the last line is one, or an `error`. */
export const changeEventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("added"), ...documentFields }),
  z.object({ type: z.literal("changed"), ...documentFields }),
  z.object({ type: z.literal("deleted"), document_id: z.string() }),
  z.object({ type: z.literal("cursor"), cursor: z.string() }),
  z.object({ type: z.literal("error"), message: z.string() }),
]);

export type ChangeEvent = z.output<typeof changeEventSchema>;
