import type { ProviderError } from "@agent-backends/llm";
import { safeProviderMessage } from "@agent-backends/llm";
import type { RunFailure } from "./profiles/profile.ts";

/** The ways in which a run fails, in words for the client. */
export const failures = {
  cut: { code: "provider_cut", message: "The model provider's answer broke off before its end." },
  notJson: { code: "provider_invalid", message: "The model provider sent data that is not JSON." },
  frameTooLarge: { code: "provider_invalid", message: "The model provider sent an event that is too large." },
  unnamedToolCall: { code: "provider_invalid", message: "The model provider sent a tool call without a name." },
  tooLong: { code: "run_timed_out", message: "The run took longer than this relay allows; ask for less at once." },
  tooManyTokens: { code: "too_many_tokens", message: "The answer is longer than this relay allows; ask for less." },
  shuttingDown: { code: "shutting_down", message: "The service is shutting down; please try again." },
  internal: { code: "internal", message: "The relay failed on this run." },
} as const satisfies Record<string, RunFailure>;

/** Failures that are the relay's own doing, not the provider's. */
export const ownFailures: ReadonlySet<RunFailure> = new Set([
  failures.tooLong,
  failures.tooManyTokens,
  failures.shuttingDown,
  failures.internal,
]);

/** The failure that an error inside the provider's stream tells of, without any of `secrets` in its message. */
export function streamErrorFailure(error: unknown, secrets: readonly string[]): RunFailure {
  return { code: codeOf(error) ?? "provider_error", message: safeProviderMessage(error, secrets) };
}

/** The failure for a provider that could not be reached, refused or broke off. */
export function providerFailure(error: ProviderError): RunFailure {
  return { code: `provider_${error.kind}`, message: error.message };
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, error: inner } = error as { code?: unknown; error?: unknown };
  if (typeof code === "number" || (typeof code === "string" && /^[\w.-]{1,64}$/.test(code))) return String(code);
  return codeOf(inner);
}
