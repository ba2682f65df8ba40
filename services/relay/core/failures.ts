import type { RunErrorCode } from "@agent-backends/contract";
import type { ShownFailure } from "@agent-backends/kit/ag-ui";
import { runFailures } from "@agent-backends/kit/runs";
import type { ProviderError, ToolCallError } from "@agent-backends/llm";
import { cutMessage, safeProviderMessage } from "@agent-backends/llm";

/** Why a run failed. */
export interface RunFailure extends ShownFailure {
  /** Kind of provider error, for the metrics. Absent if the relay itself ended the run. */
  providerErrorKind?: string;
  /** The error behind the failure, for the log. */
  cause?: unknown;
}

const invalid = { code: "provider_invalid", providerErrorKind: "invalid" } as const;

export const failures = {
  cut: { code: "provider_cut", message: cutMessage, providerErrorKind: "cut" },
  notJson: { ...invalid, message: "The model provider sent data that is not JSON." },
  frameTooLarge: { ...invalid, message: "The model provider sent an event that is too large." },
  tooLong: {
    code: "run_timed_out",
    message: "The run took longer than this relay allows; ask for a shorter answer.",
    isCancelled: true,
  },
  tooManyTokens: {
    code: "too_many_tokens",
    message: "The answer is longer than this relay allows; ask for a shorter one.",
    isCancelled: true,
  },
  shuttingDown: { code: "shutting_down", message: "The service is shutting down; try again." },
} as const satisfies Record<string, RunFailure & { code: RunErrorCode }>;

/** The failure for tool calls that can't be told apart, or not be called. */
export function toToolCallFailure({ message }: ToolCallError): RunFailure {
  return { ...invalid, message };
}

/** The failure for an error in the relay's own code. */
export function toInternalFailure(cause: unknown): RunFailure & { code: RunErrorCode } {
  return { ...runFailures.failed, cause };
}

/** The failure for an error object inside the provider's stream. Removes `secrets` from its message. */
export function toStreamErrorFailure(error: unknown, secrets: readonly string[]): RunFailure {
  return {
    code: findCode(error) ?? ("provider_error" satisfies RunErrorCode),
    message: safeProviderMessage(error, secrets),
    providerErrorKind: "stream_error",
  };
}

/** The failure for a provider that can't be reached, refuses the request or breaks off. */
export function toProviderFailure(error: ProviderError): RunFailure & { code: RunErrorCode } {
  return { code: `provider_${error.kind}`, message: error.message, providerErrorKind: error.kind, cause: error };
}

function findCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null) return undefined;
  const { code, error: inner } = error as { code?: unknown; error?: unknown };
  if (typeof code === "number" || (typeof code === "string" && /^[\w.-]{1,64}$/.test(code))) return String(code);
  return findCode(inner);
}
