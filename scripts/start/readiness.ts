import { setTimeout as delay } from "node:timers/promises";
import { limits } from "@agent-backends/contract/limits";

const pollIntervalMs = 100;

interface Readiness {
  provider?: { status: string; detail?: string };
  asksForKey?: boolean;
}

/** Whether the services require a key. All of them read the same keys. */
export async function asksForKeys(baseUrl: string | undefined): Promise<boolean> {
  const response = baseUrl === undefined ? undefined : await fetch(`${baseUrl}/ready`).catch(() => undefined);
  return ((await response?.json()) as Readiness | undefined)?.asksForKey === true;
}

/**
 * What the services report as wrong with their provider, each sentence once. Waits while they check it, at most for the duration of a
 * check.
 */
export async function findProviderProblems(baseUrls: readonly string[]): Promise<string[]> {
  const deadlineMs = performance.now() + limits.providerCheckMs + pollIntervalMs;
  const details = await Promise.all(baseUrls.map((baseUrl) => findProblem(baseUrl, deadlineMs)));
  return [...new Set(details.filter((detail) => detail !== undefined))];
}

async function findProblem(baseUrl: string, deadlineMs: number): Promise<string | undefined> {
  for (;;) {
    // If a service ends at this moment, the supervisor reports it.
    const response = await fetch(`${baseUrl}/ready`).catch(() => undefined);
    const { provider } = ((await response?.json()) ?? {}) as Readiness;
    if (provider?.status !== "checking" || performance.now() > deadlineMs) {
      return provider?.status === "degraded" ? provider.detail : undefined;
    }
    await delay(pollIntervalMs);
  }
}
