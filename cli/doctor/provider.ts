import type { ProviderState } from "@agent-backends/client";
import { variableDefaults } from "@agent-backends/contract/services";
import type { Finding } from "./machine.ts";

/** The provider that the variables configure, with the services' default address. Undefined without a key or with a malformed address. */
function readProvider(environment: NodeJS.ProcessEnv): { apiKey: string; baseUrl: string } | undefined {
  const apiKey = environment.LLM_API_KEY?.trim();
  const baseUrl = environment.LLM_BASE_URL?.trim() || variableDefaults.LLM_BASE_URL;
  // The check of the variables reports a malformed address.
  return apiKey && URL.canParse(baseUrl) ? { apiKey, baseUrl } : undefined;
}

/** Describes variables that a service running on this machine ignores, because it was started without them. */
export function findOtherProvider(
  { host, offline }: ProviderState,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const named = readProvider(environment);
  if (!named) return undefined;
  if (offline) return "LLM_API_KEY is set, but the running service was started without it";
  // The service may have its own .env with another provider, but the .env of the current folder takes precedence.
  const isSame = !environment.LLM_BASE_URL?.trim() || new URL(named.baseUrl).host === host;
  return isSame ? undefined : `LLM_BASE_URL is ${named.baseUrl}, but the running service was started with ${host}`;
}

const indirectVariables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "LLM_TLS_CERT"];

/** Checks whether the configured provider would answer the services after a restart. */
export async function tryProvider(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const named = readProvider(environment);
  if (!named || indirectVariables.some((variable) => environment[variable]?.trim())) return [];
  // Loading this package takes 100 ms.
  const { Provider, ProviderStatus } = await import("@agent-backends/llm");
  const provider = new Provider(named);
  const state = new ProviderStatus({ provider, models: [] });
  await state.refresh();
  const { status, host, detail, fix } = state.report();
  state.close();
  provider.close();
  const about = "provider of the variables";
  if (status !== "degraded") return [{ about, status: "ok", detail: `${host} answers` }];
  return [{ about, status: "problem", detail: detail ?? host, ...(fix && { fix }) }];
}
