import { limits, relayProfiles } from "@agent-backends/contract";
import { providerVariables, serviceVariables, variables } from "@agent-backends/kit";
import { z } from "zod";

const common = {
  ...serviceVariables(8000),
  ...providerVariables,
  RELAY_MODEL: variables.text("gpt-4o"),
  RELAY_PROFILE: variables.choice([...relayProfiles, "auto"], "auto"),
  RELAY_CONNECT_TIMEOUT_MS: variables.milliseconds(10_000),
  RELAY_FIRST_TOKEN_TIMEOUT_MS: variables.milliseconds(60_000),
  RELAY_IDLE_TIMEOUT_MS: variables.milliseconds(120_000),
  RELAY_RUN_TIMEOUT_MS: variables.milliseconds(limits.runMs),
  RELAY_MAX_TOKENS: variables.count(limits.runTokens, { min: 1, max: 1_000_000_000 }),
};

/** The relay's variables. The key is required. */
export const relayVariables = z.object(common);

/** The same, for the implementation that starts without a key. */
export const relayVariablesWithoutKey = z.object({ ...common, LLM_API_KEY: variables.text("") });

export type RelayConfiguration = z.output<typeof relayVariables>;
