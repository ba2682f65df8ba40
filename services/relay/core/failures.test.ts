import type { RunErrorCode } from "@agent-backends/contract";
import { runErrorCodes } from "@agent-backends/contract";
import type { ProviderErrorKind } from "@agent-backends/llm";
import { ProviderError } from "@agent-backends/llm";
import { expect, test } from "vitest";
import { failures, toInternalFailure, toProviderFailure, toStreamErrorFailure } from "./failures.ts";

const kinds = {
  refused: true,
  unreachable: true,
  timed_out: true,
  http_status: true,
  cut: true,
  invalid: true,
} as const satisfies Record<ProviderErrorKind, true>;

/** Those of runs that are kept, which `packages/kit/runs` sends. */
const recordedCodes: RunErrorCode[] = ["stopped", "client_gone", "replica_gone", "run_lost", "run_log_unavailable"];

test("the documentation lists each code that the relay sends of its own, and no others", () => {
  const sent = [
    ...Object.values(failures),
    ...Object.keys(kinds).map((kind) => toProviderFailure(new ProviderError(kind as ProviderErrorKind, "It failed."))),
    toInternalFailure(new Error("It failed.")),
    toStreamErrorFailure({ message: "It failed." }, []),
  ].map(({ code }) => code);
  expect([...new Set([...sent, ...recordedCodes])].sort()).toEqual(Object.keys(runErrorCodes).sort());
});

test("an error in the provider's stream has the provider's own code where there is one", () => {
  expect(toStreamErrorFailure({ error: { code: "rate_limit_exceeded" } }, []).code).toBe("rate_limit_exceeded");
});
