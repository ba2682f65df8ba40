import type { RelayProfile } from "@agent-backends/contract";
import type { Logger } from "@agent-backends/kit";
import { createLogger, readConfiguration } from "@agent-backends/kit";
import { relayVariablesWithoutKey } from "./configuration.ts";
import { Relay } from "./relay.ts";

/** What a host application says of the relay that it mounts. What is left out is as in the service of its own. */
export interface RelayOptions {
  /** The provider's key; without one no `Authorization` is sent. */
  apiKey?: string;
  /** The provider's address, such as `https://api.openai.com/v1`. */
  baseUrl?: string;
  model?: string;
  profile?: RelayProfile | "auto";
  heartbeatMs?: number;
  connectTimeoutMs?: number;
  firstTokenTimeoutMs?: number;
  idleTimeoutMs?: number;
  runTimeoutMs?: number;
  maxTokens?: number;
  logger?: Logger;
}

/**
 * Makes a relay for a host application, which has to close it at its end.
 *
 * @throws ConfigurationError when an option is malformed, naming the variable that stands for it
 */
export function createRelay(options: RelayOptions): Relay {
  const text = (value: string | number | undefined) => (value === undefined ? undefined : String(value));
  const configuration = readConfiguration(relayVariablesWithoutKey, {
    LLM_API_KEY: options.apiKey,
    LLM_BASE_URL: options.baseUrl,
    RELAY_MODEL: options.model,
    RELAY_PROFILE: options.profile,
    STREAM_HEARTBEAT_MS: text(options.heartbeatMs),
    RELAY_CONNECT_TIMEOUT_MS: text(options.connectTimeoutMs),
    RELAY_FIRST_TOKEN_TIMEOUT_MS: text(options.firstTokenTimeoutMs),
    RELAY_IDLE_TIMEOUT_MS: text(options.idleTimeoutMs),
    RELAY_RUN_TIMEOUT_MS: text(options.runTimeoutMs),
    RELAY_MAX_TOKENS: text(options.maxTokens),
  });
  return new Relay(configuration, options.logger ?? createLogger("relay", "warn"));
}

/** The relay that was given, or one made after options. */
export function relayOf(source: Relay | RelayOptions): Relay {
  return source instanceof Relay ? source : createRelay(source);
}
