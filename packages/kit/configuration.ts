import { availableParallelism } from "node:os";
import { limits, services, variableDefaults } from "@agent-backends/contract";
import { z } from "zod";
import { ForwardProxy } from "./egress/forward-proxy.ts";
import { parseNoProxy } from "./egress/no-proxy.ts";
import { ConfigurationError } from "./environment-files.ts";
import { findSimilarName } from "./fields/similar-name.ts";

/** Other programs read these in lower case too, and prefer the lower-case variable. */
const lowerCaseVariables = ["HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY"];

/**
 * Reads a service's variables. A blank variable counts as absent.
 *
 * @throws ConfigurationError with one line per invalid variable
 */
export function readConfiguration<Schema extends z.ZodObject>(
  schema: Schema,
  environment: Readonly<Record<string, string | undefined>>,
): z.output<Schema> {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value?.trim()));
  const lowered = lowerCaseVariables.filter((name) => given[name.toLowerCase()] !== undefined);
  for (const name of lowered) given[name] = given[name.toLowerCase()];
  const quoted = Object.keys(schema.shape).filter((name) => isQuoted(given[name]));
  if (quoted.length > 0) {
    throw new ConfigurationError(
      quoted.map((name) => `${name} is in quotes, which are part of the value: remove them`),
    );
  }
  const parsed = schema.safeParse(given);
  if (parsed.success) {
    const { LLM_FALLBACKS = [] } = parsed.data as { LLM_FALLBACKS?: FallbackVariable[] };
    const missing = readFallbackKeys(LLM_FALLBACKS, given);
    if (missing.length > 0) throw new ConfigurationError(missing);
    return parsed.data;
  }
  const lines = new Map(parsed.error.issues.map((issue) => [issue.path.join("."), issue.message]));
  const writtenName = (variable: string) => (lowered.includes(variable) ? variable.toLowerCase() : variable);
  throw new ConfigurationError([...lines].map(([variable, message]) => `${writtenName(variable)} ${message}`));
}

/** Docker's `--env-file` and Kubernetes keep quotes that shells and `.env` files remove. */
const isQuoted = (value: string | undefined): boolean => value !== undefined && /^\s*(["'`]).*\1\s*$/s.test(value);

/** Variables of `npm start`, which every service inherits. */
const startVariables = Object.values(services).map(({ startPortVariable }) => startPortVariable);

/** Finds unused variables whose names resemble those of known ones. Returns a sentence for each. */
export function findMisspeltVariables(
  schema: z.ZodObject,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const read = Object.keys(schema.shape);
  const known = new Set([...read, ...startVariables, ...lowerCaseVariables.map((name) => name.toLowerCase())]);
  return Object.keys(environment).flatMap((name) => {
    const similar = known.has(name) || !environment[name]?.trim() ? undefined : findSimilarName(name, known);
    return similar === undefined ? [] : [`${name} is not a known variable: did you mean ${similar}?`];
  });
}

/** Node.js fires longer timers at once. */
export const maxTimerMs = 2 ** 31 - 1;

export const keyPattern = /^[\x21-\x7e]*$/;
export const keyMessage = "must be visible ASCII characters without spaces";

function wholeNumber(fallback: number, range: { min: number; max: number }, unit: string) {
  const message = `must be a whole number${unit} from ${range.min} to ${range.max}, such as ${fallback}`;
  return z
    .string()
    .trim()
    .regex(/^\d{1,16}$/, message)
    .transform(Number)
    .pipe(z.number().min(range.min, message).max(range.max, message))
    .default(fallback);
}

/** Sets the unit in which the documentation shows a default. */
const inUnit = <Schema extends z.ZodType>(schema: Schema, unit: string) => schema.meta({ unit });

/** The path has to be a database number: for any other path the client library ends the process. */
export const isRedisUrl = (url: string): boolean =>
  /^rediss?:\/\//i.test(url) && URL.canParse(url) && /^(\/\d*)?$/.test(new URL(url).pathname);
export const redisUrlForm =
  "the address of a Redis server, such as redis://127.0.0.1:6379 or redis://:password@127.0.0.1:6379/0";

const hostName = /^(?:\*|[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/;
const hostNamesMessage = "must be host names without ports, such as agents.example.com,10.0.0.7, or *";

/** Schemas for variables. Their messages name the mistake and a correct value. */
export const variables = {
  milliseconds: (fallback: number, min = 1) =>
    inUnit(wholeNumber(fallback, { min, max: maxTimerMs }, " of milliseconds"), "ms"),
  bytes: (fallback: number) =>
    inUnit(wholeNumber(fallback, { min: 1, max: Number.MAX_SAFE_INTEGER }, " of bytes"), "bytes"),
  /** A count of something. */
  count: (fallback: number, range = { min: 1, max: 1_000_000 }) => wholeNumber(fallback, range, ""),
  /** A TCP port. 0 selects a free one. */
  port: (fallback: number) => wholeNumber(fallback, { min: 0, max: 65_535 }, ""),
  /** An optional TCP port. */
  optionalPort: (example: number) => wholeNumber(example, { min: 0, max: 65_535 }, "").removeDefault().optional(),
  flag: (fallback: boolean) => z.stringbool({ error: () => "must be true or false" }).default(fallback),
  text: (fallback: string) => z.string().trim().default(fallback),
  optionalText: () => z.string().trim().optional(),
  /** An address to listen on. IPv6 may be in brackets, as in a URL. */
  host: (fallback: string) =>
    z
      .string()
      .trim()
      .transform((address) => address.replace(/^\[(.*)\]$/, "$1"))
      .default(fallback),
  /** An http or https URL, without a trailing slash. */
  url: (fallback: string) => httpUrl(fallback).default(fallback),
  /** A URL that paths are appended to. */
  baseUrl: (fallback: string) => baseUrl(fallback).default(fallback),
  optionalUrl: (example: string) => httpUrl(example).optional(),
  optionalKey: () => z.string().trim().regex(keyPattern, keyMessage).optional(),
  /** The optional URL of a Redis server. */
  redisUrl: () => z.string().trim().refine(isRedisUrl, `must be ${redisUrlForm}`).optional(),
  /** One of several fixed words. */
  choice: <const Values extends readonly [string, ...string[]]>(values: Values, fallback: Values[number]) =>
    z.enum(values, { error: () => `must be one of ${values.join(", ")}` }).default(fallback as never),
  /** A list of host names without ports, in lower case; `*` stands for all. */
  hostNames: () =>
    z
      .string()
      .transform((list) => list.split(",").map((name) => name.trim().toLowerCase()))
      .pipe(z.array(z.string().regex(hostName, hostNamesMessage)))
      .default([]),
  /** A required text. */
  required: (what: string) => z.string({ error: () => `is missing: set it to ${what}` }).trim(),
};

function httpUrl(example: string) {
  return z
    .string()
    .trim()
    .refine(
      (value) => /^https?:\/\//i.test(value) && URL.canParse(value),
      `must be an http or https address, such as ${example}`,
    )
    .transform((value) => value.replace(/\/+$/, ""));
}

/** A URL that request paths are appended to. Without this check, a mistake would show only in the provider's responses. */
const baseUrl = (example: string) =>
  httpUrl(example)
    .refine(
      (url) => !/[?#]/.test(url),
      `must not have a query, such as ?key=value: paths are appended to it, as to ${example}`,
    )
    .refine(
      (url) => !url.endsWith("/chat/completions"),
      `must be the base URL, without /chat/completions, such as ${example}`,
    );

const proxy = z
  .string()
  .trim()
  .transform((address, context) => {
    try {
      return new ForwardProxy(address);
    } catch {
      // The URL may contain a password.
      context.addIssue(
        "must be the address of an HTTP proxy, such as http://proxy.example.com:3128 or http://user:password@proxy.example.com:3128, with special characters of the password percent-encoded",
      );
      return z.NEVER;
    }
  })
  .optional();

const hosts = z
  .string()
  .transform((list, context) => {
    try {
      return parseNoProxy(list);
    } catch (error) {
      context.addIssue(
        `has an entry that is not a host, ${(error as Error).message}: list names, IP addresses and ranges, such as localhost,.example.com,10.0.0.0/8`,
      );
      return z.NEVER;
    }
  })
  .optional();

/** Variables for outgoing requests. */
export const egressVariables = {
  HTTPS_PROXY: proxy.describe("the proxy for https addresses: the provider, the listing site, pages to ingest"),
  HTTP_PROXY: proxy.describe("the proxy for http addresses"),
  NO_PROXY: hosts.describe(
    "hosts that are reached without a proxy: names, which include their subdomains, IP addresses and ranges, or `*` for all",
  ),
  NODE_EXTRA_CA_CERTS: variables
    .optionalText()
    .describe("a PEM file with additional certificate authorities to trust, such as your company's"),
};

/** Variables of a service that fetches addresses that its users give. */
export const pageVariables = {
  KNOWLEDGE_URL_TLS_HOSTS: hosts.describe(
    "hosts of pages that may see the client certificate, in the form of `NO_PROXY`",
  ),
  KNOWLEDGE_URL_TLS_CERT: variables
    .optionalText()
    .describe("the client certificate for these hosts (mutual TLS), a PEM file"),
  KNOWLEDGE_URL_TLS_KEY: variables.optionalText().describe("the private key of `KNOWLEDGE_URL_TLS_CERT`, a PEM file"),
};

const concurrencyRange = { min: 1, max: 1_000_000 };
const rateRange = { min: 0, max: 100_000_000 };

/** Variables for authentication and limits. docs/configuration.md describes those with a description, docs/limits.md the others. */
export const guardVariables = {
  AUTH_KEYS_FILE: variables
    .optionalText()
    .describe("the key file: clients need one of its keys. `npm run keys` writes it"),
  AUTH_JWKS_URL: variables
    .optionalUrl("https://login.example.com/.well-known/jwks.json")
    .describe("the address of the public keys of an issuer whose JSON Web Tokens clients may use (JWKS)"),
  AUTH_JWT_ISSUER: variables.optionalText().describe("the tokens' issuer, `iss`"),
  AUTH_JWT_AUDIENCE: variables.optionalText().describe("the tokens' audience, `aud`"),
  ALLOWED_HOSTS: variables.hostNames().meta({
    default: "loopback only",
    description: "host names to which services without keys answer, such as that of a tunnel; `*` for any",
  }),
  MAX_STREAMS: variables.count(limits.streams, concurrencyRange),
  MAX_STREAMS_PER_KEY: variables.count(limits.streamsPerKey, concurrencyRange),
  MAX_INGESTS: variables.count(limits.ingests, concurrencyRange),
  MAX_INGESTS_PER_KEY: variables.count(limits.ingestsPerKey, concurrencyRange),
  MAX_SEARCHES: variables.count(limits.searches, concurrencyRange),
  MAX_SEARCHES_PER_KEY: variables.count(limits.searchesPerKey, concurrencyRange),
  RATE_LIMIT_PER_KEY: variables.count(limits.requestsPerMinuteAndKey, rateRange),
  RATE_LIMIT_PER_ADDRESS: variables.count(limits.requestsPerMinuteAndAddress, rateRange),
  RATE_LIMIT_URL: variables
    .redisUrl()
    .describe("a Redis server in which all processes count the requests, concurrent work and tokens of a key together"),
  TRUSTED_PROXIES: variables
    .count(0, { min: 0, max: 10 })
    .describe("the number of your own proxies that append to `X-Forwarded-For`"),
};

const originMessage = "must be * or a list of origins, such as https://chat.example.com,http://localhost:3000";

/** A list of origins. Undefined: any. */
const origins = z
  .string()
  .transform((list) => list.split(",").map((origin) => origin.trim().replace(/\/$/, "")))
  .refine((list) => list.every((origin) => origin === "*" || isOrigin(origin)), originMessage)
  .transform((list) => (list.includes("*") ? undefined : list))
  .optional();

function isOrigin(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text) && new URL(text).origin === text;
}

/** More processes than any machine has cores. */
const maxWorkers = 256;
const workersMessage = `must be auto or a whole number from 1 to ${maxWorkers}, such as 4`;

const workers = z
  .string()
  .trim()
  .regex(/^(auto|\d{1,3})$/, workersMessage)
  .transform((value) => (value === "auto" ? Math.min(availableParallelism(), maxWorkers) : Number(value)))
  .pipe(z.number().min(1, workersMessage).max(maxWorkers, workersMessage))
  .default(1);

const ports = [services.relay, services.knowledge, services.listing].map(
  ({ port, script }) => `${port} ${script.split(":")[0]}`,
);

export const serviceVariables = (defaultPort: number) => ({
  PORT: variables
    .port(defaultPort)
    .meta({ default: ports.join(", "), description: "the port of a service that is started on its own" }),
  HOST: variables.host(variableDefaults.HOST).describe("the address to listen on; `0.0.0.0` for every network"),
  WORKERS: workers.describe(
    "the number of [processes](operations.md#use-all-cores) that serve the port; `auto`: one for each core",
  ),
  LOG_LEVEL: variables
    .choice(["trace", "debug", "info", "warn", "error", "fatal", "silent"], "info")
    .describe("trace, debug, info, warn, error, fatal or silent"),
  STREAM_HEARTBEAT_MS: variables
    .milliseconds(limits.heartbeatMs)
    .describe("interval without data after which a stream sends a heartbeat"),
  METRICS_PORT: variables
    .optionalPort(9464)
    .describe(
      "the port of `GET /metrics` for Prometheus; without it there are no metrics. With `npm start` the services use this port and the next ones",
    ),
  METRICS_HOST: variables.host("127.0.0.1").describe("the address the metrics listen on"),
  OTEL_EXPORTER_OTLP_ENDPOINT: variables
    .optionalUrl("http://127.0.0.1:4318")
    .describe("the base URL of an OpenTelemetry collector for traces; without it there are none"),
  SHUTDOWN_GRACE_MS: variables
    .milliseconds(limits.shutdownGraceMs, 0)
    .describe("how long running streams may continue after SIGTERM"),
  CORS_ORIGINS: origins.meta({
    default: "any",
    description: "the origins whose pages may call the services; requests of other pages are refused",
  }),
  ...guardVariables,
  ...egressVariables,
});

/** A provider in `LLM_FALLBACKS`. */
export interface FallbackVariable {
  baseUrl: string;
  /** Undefined: the provider needs no key. */
  keyVariable: string | undefined;
  /** Value of that variable. */
  apiKey: string;
  model: string;
}

const fallbackForm = "ADDRESS KEY_VARIABLE MODEL, such as https://api.example.com/v1 EXAMPLE_API_KEY small-model";

/** Parses `LLM_FALLBACKS`: entries of three words, separated by commas or line ends. Messages never repeat a key. */
const fallbacks = z
  .string()
  .refine((text) => text.trim() === "" || /[^,\s]/.test(text), `must name providers, each as ${fallbackForm}`)
  .transform((text) => text.split(/[,\n]/).flatMap((entry) => (entry.trim() === "" ? [] : [entry.trim().split(/\s+/)])))
  .transform((entries, context) => {
    const refuse = (message: string) => context.addIssue({ code: "custom", message });
    const most = limits.fallbackProviders;
    if (entries.length > most) refuse(`must name at most ${most} providers, not ${entries.length}`);
    return entries.map(([url = "", key = "", model = "", ...others], position): FallbackVariable => {
      const address = httpUrl("").safeParse(url);
      const base = baseUrl("https://api.example.com/v1").safeParse(url);
      const entry = `entry ${position + 1}`;
      if (!address.success || model === "" || others.length > 0) refuse(`${entry} must be ${fallbackForm}`);
      // Without this check, the mistake would show only once all earlier providers are down.
      else if (!base.success) {
        refuse(`${entry}: the address ${base.error.issues[0]?.message}`);
      } else if (!/^(-|[A-Z][A-Z0-9_]*)$/.test(key)) {
        refuse(
          `${entry} must name the variable that holds the key, such as EXAMPLE_API_KEY, or - for none; never the key itself`,
        );
      }
      return { baseUrl: address.data ?? "", keyVariable: key === "-" ? undefined : key, apiKey: "", model };
    });
  })
  .optional();

/** Fills in the keys of `LLM_FALLBACKS`. Each key has its own variable, which the schema of one variable can't see. */
function readFallbackKeys(
  entries: readonly FallbackVariable[],
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  return entries.flatMap((entry, position) => {
    if (entry.keyVariable === undefined) return [];
    entry.apiKey = environment[entry.keyVariable]?.trim() ?? "";
    if (keyPattern.test(entry.apiKey) && entry.apiKey !== "") return [];
    const is = entry.apiKey === "" ? "is not set" : keyMessage;
    return [`LLM_FALLBACKS entry ${position + 1}: the variable of the key of ${new URL(entry.baseUrl).host} ${is}`];
  });
}

/** The variables of every service that talks to the model provider. */
export const providerVariables = {
  LLM_API_KEY: variables
    .required("the key of your model provider")
    .regex(keyPattern, `${keyMessage}, as your model provider shows it`)
    .meta({ default: "– (required, except for the Express relay)", description: "the provider's key" }),
  LLM_BASE_URL: variables
    .baseUrl(variableDefaults.LLM_BASE_URL)
    .describe("the base URL of the OpenAI-compatible provider"),
  LLM_FALLBACK_AFTER_MS: variables.milliseconds(limits.fallbackAfterMs),
  LLM_FALLBACKS: fallbacks.meta({
    default: "none",
    description:
      "[further providers](operations.md#survive-an-outage-of-the-model-provider) for chat, used in this order if the ones before can't answer: `ADDRESS KEY_VARIABLE MODEL`, separated by commas",
  }),
  LLM_TLS_CERT: variables
    .optionalText()
    .describe("the client certificate for providers that require one (mutual TLS), a PEM file"),
  LLM_TLS_KEY: variables.optionalText().describe("the private key of `LLM_TLS_CERT`, a PEM file"),
};
