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
import { defaultOptions } from "./options.ts";

const common = {
  ...serviceVariables(services.relay.port),
  ...providerVariables,
  RELAY_MODEL: variables.text(defaultOptions.model).describe("the chat model"),
  RELAY_PROFILE: variables
    .choice([...relayProfiles, "auto"], defaultOptions.profile)
    .describe(
      "`contract`, `ag-ui` or `ag-ui-0`: these [events](guides/chat-platform.md#which-events-the-relay-sends) for every client whose address chooses none. `auto`: `ag-ui` for clients that declare `protocolVersion`, else `contract`",
    ),
  RELAY_CONNECT_TIMEOUT_MS: variables
    .milliseconds(defaultOptions.connectTimeoutMs)
    .describe("for a connection to the provider"),
  RELAY_FIRST_TOKEN_TIMEOUT_MS: variables
    .milliseconds(defaultOptions.firstTokenTimeoutMs)
    .describe("for the first bytes of its answer"),
  RELAY_IDLE_TIMEOUT_MS: variables
    .milliseconds(defaultOptions.idleTimeoutMs)
    .describe("a provider that is silent for this long in the middle of its answer ends the run"),
  RELAY_RUN_TIMEOUT_MS: variables.milliseconds(defaultOptions.runTimeoutMs),
  ...runVariables,
  RELAY_MAX_TOKENS: variables.count(defaultOptions.maxTokens, { min: 1, max: 1_000_000_000 }),
};

/** The relay's environment variables. The key is required. */
export const relayVariables = z.object(common);

/** The same for the implementation that starts without a key. */
export const relayVariablesWithoutKey = z.object({ ...common, LLM_API_KEY: variables.text("") });

/**
 * Keeps V8's marking thread from taking the only core for many milliseconds, where runs are kept in Redis. Changes the whole process, so
 * only a service calls it. docs/decisions/memory.md has the figures, and says why other relays keep the thread.
 */
export function avoidMarkingPauses(
  { RUNS_URL: url }: Pick<z.output<typeof relayVariables>, "RUNS_URL">,
  cores = availableParallelism(),
  setFlag = setFlagsFromString,
): void {
  if (cores === 1 && /^rediss?:/i.test(url)) setFlag("--no-concurrent-marking");
}

/** Maps the variables of a relay service to the options of its relay. */
export function toRelayOptions(
  given: z.output<typeof relayVariables>,
  logger: Logger,
  egress: Egress,
): Required<RelayOptions> {
  return {
    apiKey: given.LLM_API_KEY,
    keyVariable: "LLM_API_KEY",
    baseUrl: given.LLM_BASE_URL,
    model: given.RELAY_MODEL,
    fallbackAfterMs: given.LLM_FALLBACK_AFTER_MS,
    fallbacks: given.LLM_FALLBACKS ?? [],
    profile: given.RELAY_PROFILE,
    heartbeatMs: given.STREAM_HEARTBEAT_MS,
    connectTimeoutMs: given.RELAY_CONNECT_TIMEOUT_MS,
    firstTokenTimeoutMs: given.RELAY_FIRST_TOKEN_TIMEOUT_MS,
    idleTimeoutMs: given.RELAY_IDLE_TIMEOUT_MS,
    runTimeoutMs: given.RELAY_RUN_TIMEOUT_MS,
    maxTokens: given.RELAY_MAX_TOKENS,
    shutdownGraceMs: given.SHUTDOWN_GRACE_MS,
    runsUrl: given.RUNS_URL,
    runRetentionMs: given.RUN_RETENTION_MS,
    runOrphanMs: given.RUN_ORPHAN_MS,
    runOwner: (request) => getPrincipal(request).id,
    logger,
    egress,
  };
}
