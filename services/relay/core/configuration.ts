import { availableParallelism } from "node:os";
import { setFlagsFromString } from "node:v8";
import { relayProfiles, services } from "@agent-backends/contract";
import type { Logger } from "@agent-backends/kit";
import { providerVariables, serviceVariables, variables } from "@agent-backends/kit";
import { getPrincipal } from "@agent-backends/kit/auth";
import type { Egress } from "@agent-backends/kit/egress";
import { runVariables } from "@agent-backends/kit/runs";
import { z } from "zod";
import type { RelayOptions } from "./options.ts";
import { defaultOptions, maxTokensRange } from "./options.ts";

const common = {
  ...serviceVariables(services.relay.port),
  ...providerVariables,
  RELAY_MODEL: variables.text(defaultOptions.model).describe("the chat model"),
  RELAY_PROFILE: variables
    .choice([...relayProfiles, "auto"], defaultOptions.profile)
    .describe(
      "`contract`, `ag-ui` or `ag-ui-0`: these [events](guides/chat-platform.md#which-events-the-relay-sends) for every client whose address has no `profile`. `auto`: `ag-ui` for clients that declare `protocolVersion`, otherwise `contract`",
    ),
  RELAY_CONNECT_TIMEOUT_MS: variables
    .milliseconds(defaultOptions.connectTimeoutMs)
    .describe("timeout for the connection to the provider"),
  RELAY_FIRST_TOKEN_TIMEOUT_MS: variables
    .milliseconds(defaultOptions.firstTokenTimeoutMs)
    .describe("timeout for the first bytes of the provider's answer"),
  RELAY_IDLE_TIMEOUT_MS: variables
    .milliseconds(defaultOptions.idleTimeoutMs)
    .describe("timeout between two parts of the provider's answer; then the run ends with an error"),
  RELAY_RUN_TIMEOUT_MS: variables.milliseconds(defaultOptions.runTimeoutMs),
  ...runVariables,
  RELAY_MAX_TOKENS: variables.count(defaultOptions.maxTokens, maxTokensRange),
};

/** The relay's environment variables. The key is required. */
export const relayVariables = z.object(common);

/** The variables of the implementation that can start without a key. */
export const relayVariablesWithoutKey = z.object({ ...common, LLM_API_KEY: variables.optionalKey().default("") });

/**
 * Keeps V8's marking thread from occupying the only core for many milliseconds, if runs are stored in Redis. It changes the whole process,
 * so only a service calls it. docs/decisions/memory.md has the figures, and explains why other relays keep the thread.
 */
export function avoidMarkingPauses(
  { RUNS_URL: url }: Pick<z.output<typeof relayVariables>, "RUNS_URL">,
  cores = availableParallelism(),
  setFlag = setFlagsFromString,
): void {
  if (cores === 1 && /^rediss?:/i.test(url)) setFlag("--no-concurrent-marking");
}

/** Relay options that a service reads from one variable each. */
export const optionVariables = {
  apiKey: "LLM_API_KEY",
  baseUrl: "LLM_BASE_URL",
  model: "RELAY_MODEL",
  fallbacks: "LLM_FALLBACKS",
  fallbackAfterMs: "LLM_FALLBACK_AFTER_MS",
  profile: "RELAY_PROFILE",
  heartbeatMs: "STREAM_HEARTBEAT_MS",
  connectTimeoutMs: "RELAY_CONNECT_TIMEOUT_MS",
  firstTokenTimeoutMs: "RELAY_FIRST_TOKEN_TIMEOUT_MS",
  idleTimeoutMs: "RELAY_IDLE_TIMEOUT_MS",
  runTimeoutMs: "RELAY_RUN_TIMEOUT_MS",
  maxTokens: "RELAY_MAX_TOKENS",
  shutdownGraceMs: "SHUTDOWN_GRACE_MS",
  runsUrl: "RUNS_URL",
  runRetentionMs: "RUN_RETENTION_MS",
  runOrphanMs: "RUN_ORPHAN_MS",
} as const satisfies Partial<Record<keyof RelayOptions, keyof typeof common>>;

type Variables = z.output<typeof relayVariables>;
type ReadOptions = { [Option in keyof typeof optionVariables]: Variables[(typeof optionVariables)[Option]] };

/** Maps the variables of a relay service to the options of its relay. */
export function toRelayOptions(given: Variables, logger: Logger, egress: Egress): Required<RelayOptions> {
  const read = Object.entries(optionVariables).map(([option, variable]) => [option, given[variable]]);
  return {
    ...(Object.fromEntries(read) as ReadOptions),
    fallbacks: given.LLM_FALLBACKS ?? [],
    keyVariable: optionVariables.apiKey,
    runOwner: (request) => getPrincipal(request).id,
    logger,
    egress,
  };
}
