import { z } from "zod";

/** The response of `GET /health` while the process lives. A service adds its own fields. */
export const healthSchema = z.object({ status: z.literal("ok") });

const buildStateSchema = <Values extends readonly [string, ...string[]]>(values: Values) => ({
  status: z.enum(values),
  detail: z.string().optional().describe("What is wrong, and what helps."),
  fix: z.string().optional().describe("The line of `.env` that repairs it."),
});

const circuit = z.enum(["closed", "open", "half-open"]).optional().describe("With `LLM_FALLBACKS`.");

const providerReportSchema = z.object({
  ...buildStateSchema(["ok", "unproven", "degraded", "checking"]),
  code: z.string().optional(),
  fault: z.enum(["configuration", "network", "provider"]).optional(),
  host: z.string(),
  models: z.object({ chat: z.string().optional(), embeddings: z.string().optional() }),
  offline: z.boolean().optional().describe("Whether this is the offline provider."),
  checkedAt: z.iso.datetime().optional(),
  circuit,
});

/** The response of `GET /ready` while the service can work. */
export const readySchema = z.object({
  status: z.literal("ready"),
  service: z.enum(["knowledge", "listing", "relay"]),
  provider: providerReportSchema.extend({
    fallbacks: z.array(providerReportSchema).optional().describe("The state of `LLM_FALLBACKS`."),
  }),
  site: z
    .object({ ...buildStateSchema(["ok", "degraded"]), source: z.string() })
    .optional()
    .describe("Of the listing service."),
  warnings: z.array(z.string()).optional().describe("Of the knowledge service."),
  asksForKey: z.boolean().optional().describe("Whether other routes need a key."),
  key: z.enum(["accepted", "refused"]).optional().describe("Whether they would accept the key of this request."),
  scopes: z
    .array(z.enum(["ask", "read", "write", "admin"]))
    .optional()
    .describe("What that key may do. Each route needs one of them; those of the relay need `ask`."),
  refusal: z.string().optional().describe("Why they would refuse this request, whatever its key."),
});
