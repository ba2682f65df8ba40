import { z } from "zod";
import { buildListSchema, isBlank, optional } from "../shapes.ts";
import { knowledgeLimits } from "./limits.ts";

const tooLongMessage = `is longer than ${knowledgeLimits.namespaceCharacters} characters`;

/** A namespace's name, kept exactly as given. */
export const namespaceNameSchema = z
  .string("must be text")
  // A cheap length check in UTF-16 code units runs first, so that no later rule scans a name of megabytes.
  .max(2 * knowledgeLimits.namespaceCharacters, { error: tooLongMessage, abort: true })
  .refine((name) => name.isWellFormed(), "holds half of a character (a lone surrogate)")
  .refine((name) => [...name].length <= knowledgeLimits.namespaceCharacters, tooLongMessage)
  .refine((name) => !/\p{Cc}/u.test(name), "holds a control character")
  .refine((name) => name !== "." && name !== "..", "can't be . or .., which can't stand in a path")
  .refine((name) => name.trim() !== "", "is blank")
  // JSON Schema counts Unicode characters.
  .meta({ maxLength: knowledgeLimits.namespaceCharacters });

/** A namespace in a request: blank counts as absent. */
export const namespaceSchema = z.preprocess(
  (value) => (isBlank(value) ? undefined : value),
  namespaceNameSchema.optional(),
);

const { namespacesPerSearch } = knowledgeLimits;
const listMessage = `must be a list of 1 to ${namespacesPerSearch} namespaces`;

/** The namespaces of a search or an answer that covers several. */
export const namespacesSchema = optional(
  buildListSchema(namespaceNameSchema, { max: namespacesPerSearch, message: listMessage, maxMessage: listMessage })
    .refine((names) => names.length > 0, listMessage)
    .transform((names) => [...new Set(names)]),
);

/** Arguments of `refine`: a request names one namespace or several. With both it would be unclear which ones count. */
export const namesOneKind: [(request: Names) => boolean, { path: string[]; error: string }] = [
  ({ namespace, namespaces }) => namespace === undefined || namespaces === undefined,
  { path: ["namespaces"], error: "can't be given together with namespace; leave one of them out" },
];

interface Names {
  namespace?: string | undefined;
  namespaces?: string[] | undefined;
}
