import type { IncomingMessage } from "node:http";
import { limits, relayProfiles, services } from "@agent-backends/contract";
import type { Logger } from "@agent-backends/kit";
import { ConfigurationError, createLogger } from "@agent-backends/kit";
import type { Egress } from "@agent-backends/kit/egress";
import { directEgress } from "@agent-backends/kit/egress";
import { runsUrlSchema } from "@agent-backends/kit/runs";
import { z } from "zod";

/** Node fires longer timers at once. */
const maxTimerMs = 2 ** 31 - 1;

const text = (fallback: string) => z.string({ error: () => "must be text" }).default(fallback);
const count = (fallback: number, unit: string, { min, max }: { min: number; max: number }) => {
  const error = () => `must be a whole number of ${unit} from ${min} to ${max}`;
  return z.int({ error }).min(min, { error }).max(max, { error }).default(fallback);
};
const milliseconds = (fallback: number, min = 1) => count(fallback, "milliseconds", { min, max: maxTimerMs });
export const maxTokensRange = { min: 1, max: 1_000_000_000 };
const profiles = [...relayProfiles, "auto"] as const;

/** Paths are appended to it. */
const baseUrl = z
  .url({ protocol: /^https?$/, error: () => "must be an http or https address" })
  .refine((url) => !/\/chat\/completions\/*$/.test(url), "must be the base URL, without /chat/completions")
  .transform((url) => url.replace(/\/+$/, ""));
const key = z
  .string({ error: () => "must be text" })
  .regex(/^[\x21-\x7e]*$/, "must be visible ASCII characters without spaces")
  .default("");

const modelName = z.string({ error: () => "must be text" }).min(1, { error: () => "is empty" });

const fallback = z.object({
  baseUrl,
  /** Without one, its requests have no `Authorization` header. */
  apiKey: key,
  model: modelName,
  /** The variable that holds the key, for messages to the operator. */
  keyVariable: z.string().optional(),
});

const everybody = () => "everybody";

/** The options of a relay and their defaults. */
export const optionsSchema = z.strictObject({
  /** The provider's API key. Without one, provider requests have no `Authorization` header. */
  apiKey: key,
  /** The variable that has to hold the key: without a key `/ready` then answers 503 and names it. */
  keyVariable: text(""),
  baseUrl: baseUrl.default("https://api.openai.com/v1"),
  model: modelName.default(services.relay.models.RELAY_MODEL),
  /** Providers that are asked in order when the ones before them can't answer. */
  fallbacks: z.array(fallback, { error: () => "must be a list" }).default([]),
  /** How long to wait for a provider's head while another one can be asked. */
  fallbackAfterMs: milliseconds(limits.fallbackAfterMs),
  /** `auto` sends `ag-ui` to clients that declare a `protocolVersion`, and `contract` to all others. */
  profile: z.enum(profiles, { error: () => `must be one of ${profiles.join(", ")}` }).default("auto"),
  /** A stream that has been silent for this long carries a heartbeat. */
  heartbeatMs: milliseconds(limits.heartbeatMs),
  connectTimeoutMs: milliseconds(10_000),
  firstTokenTimeoutMs: milliseconds(60_000),
  /** Maximum time between two reads from the provider. */
  idleTimeoutMs: milliseconds(120_000),
  runTimeoutMs: milliseconds(limits.runMs),
  maxTokens: count(limits.runTokens, "tokens", maxTokensRange),
  /** How long running streams may go on after `lifecycle.drain()` was called. */
  shutdownGraceMs: milliseconds(limits.shutdownGraceMs, 0),
  /** The proxy and the client certificate for connections to the provider. */
  egress: z.custom<Egress>().default(directEgress),
  /** Where runs are kept, so that they can be resumed and stopped: `memory:` or the address of a Redis server. Blank: nowhere. */
  runsUrl: runsUrlSchema,
  /** How long a run can be read after its end. */
  runRetentionMs: milliseconds(limits.runRetentionMs),
  /** How long a run goes on that nobody reads. */
  runOrphanMs: milliseconds(limits.runOrphanMs, 0),
  /** To whom the runs of a request belong. Others can't read or stop them. By default they belong to everybody. */
  runOwner: z
    .custom<(request: IncomingMessage) => string>((given) => typeof given === "function", "must be a function")
    .default(() => everybody),
  /** By default the relay logs warnings to the standard output. */
  logger: z.custom<Logger>().default(() => createLogger("relay", "warn")),
});

export type RelayOptions = z.input<typeof optionsSchema>;

/**
 * Checks the options and fills in the defaults.
 *
 * @throws ConfigurationError with one line for each wrong option
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
