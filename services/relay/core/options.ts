import type { IncomingMessage } from "node:http";
import { limits, relayProfiles, services, variableDefaults } from "@agent-backends/contract";
import type { Logger } from "@agent-backends/kit";
import { ConfigurationError, createLogger, keyMessage, keyPattern, maxTimerMs } from "@agent-backends/kit";
import type { Egress } from "@agent-backends/kit/egress";
import { directEgress } from "@agent-backends/kit/egress";
import { runsUrlSchema } from "@agent-backends/kit/runs";
import { z } from "zod";

const text = (fallback: string) => z.string({ error: () => "must be text" }).default(fallback);
const count = (fallback: number, unit: string, { min, max }: { min: number; max: number }) => {
  const error = () => `must be a whole number of ${unit} from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error }).default(fallback);
};
const milliseconds = (fallback: number, min = 1) => count(fallback, "milliseconds", { min, max: maxTimerMs });
export const maxTokensRange = { min: 1, max: 1_000_000_000 };
const profiles = [...relayProfiles, "auto"] as const;

/** A URL that request paths are appended to. */
const baseUrl = z
  .url({ protocol: /^https?$/, error: () => "must be an http or https address" })
  .refine((url) => !/\/chat\/completions\/*$/.test(url), "must be the base URL, without /chat/completions")
  .transform((url) => url.replace(/\/+$/, ""));
const key = z
  .string({ error: () => "must be text" })
  .regex(keyPattern, keyMessage)
  .default("");

const modelName = z.string({ error: () => "must be text" }).min(1, { error: () => "is empty" });

const fallback = z.object({
  baseUrl,
  /** Without a key, requests have no `Authorization` header. */
  apiKey: key,
  model: modelName,
  /** Variable that holds the key, for messages to the operator. */
  keyVariable: z.string().optional(),
});

const everybody = () => "everybody";

/** The options of a relay and their defaults. */
export const optionsSchema = z.strictObject({
  /** The provider's API key. Without one, provider requests have no `Authorization` header. */
  apiKey: key,
  /** The variable that has to hold the key. Without a key, `/ready` responds with 503 and names it. */
  keyVariable: text(""),
  baseUrl: baseUrl.default(variableDefaults.LLM_BASE_URL),
  model: modelName.default(services.relay.models.RELAY_MODEL),
  /** Providers that are asked in order if the earlier ones can't answer. */
  fallbacks: z.array(fallback, { error: () => "must be a list" }).default([]),
  /** Timeout for a provider's response head while another provider can be asked. */
  fallbackAfterMs: milliseconds(limits.fallbackAfterMs),
  /** `auto` sends `ag-ui` to clients that declare a `protocolVersion`, and `contract` to all others. */
  profile: z.enum(profiles, { error: () => `must be one of ${profiles.join(", ")}` }).default("auto"),
  /** A heartbeat is sent after this much silence on a stream. */
  heartbeatMs: milliseconds(limits.heartbeatMs),
  connectTimeoutMs: milliseconds(10_000),
  firstTokenTimeoutMs: milliseconds(60_000),
  /** Maximum time between two reads from the provider. */
  idleTimeoutMs: milliseconds(120_000),
  runTimeoutMs: milliseconds(limits.runMs),
  maxTokens: count(limits.runTokens, "tokens", maxTokensRange),
  /** How long running streams may continue after `lifecycle.drain()` is called. */
  shutdownGraceMs: milliseconds(limits.shutdownGraceMs, 0),
  /** Proxy and client certificate for connections to the provider. */
  egress: z.custom<Egress>().default(directEgress),
  /** Where runs are stored, so that they can be resumed and stopped: `memory:` or the URL of a Redis server. Blank: runs aren't stored. */
  runsUrl: runsUrlSchema,
  /** How long a run can be read after its end. */
  runRetentionMs: milliseconds(limits.runRetentionMs),
  /** How long a run continues when nobody reads it. */
  runOrphanMs: milliseconds(limits.runOrphanMs, 0),
  /** Returns the owner of a request's runs. Other owners can't read or stop them. By default all requests have the same owner. */
  runOwner: z
    .custom<(request: IncomingMessage) => string>((given) => typeof given === "function", "must be a function")
    .default(() => everybody),
  /** By default the relay logs warnings to standard output. */
  logger: z.custom<Logger>().default(() => createLogger("relay", "warn")),
});

export type RelayOptions = z.input<typeof optionsSchema>;

/**
 * Validates the options and fills in the defaults.
 *
 * @throws ConfigurationError with one line for each invalid option
 */
export function parseOptions(options: RelayOptions): z.output<typeof optionsSchema> {
  const parsed = optionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  throw new ConfigurationError(
    parsed.error.issues.flatMap((issue) =>
      issue.code === "unrecognized_keys"
        ? issue.keys.map((key) => `${key} is not an option of the relay: correct its name or leave it out`)
        : [`${issue.path.join(".")} ${issue.message}`],
    ),
  );
}

export const defaultOptions: ReturnType<typeof parseOptions> = parseOptions({});
