import type { ProviderState } from "@agent-backends/client";
import type { Finding } from "./machine.ts";

/** The provider that the variables name: without an address, the services' default. Undefined if it isn't asked directly. */
function readProvider(environment: NodeJS.ProcessEnv): { apiKey: string; baseUrl: string } | undefined {
  const apiKey = environment.LLM_API_KEY?.trim();
  const baseUrl = environment.LLM_BASE_URL?.trim() || "https://api.openai.com/v1";
  // A malformed address is a finding of the variables.
  return apiKey && URL.canParse(baseUrl) ? { apiKey, baseUrl } : undefined;
}

/** What the variables say and a running service of this machine doesn't do, because it was started without them. */
export function findOtherProvider(
  { host, offline }: ProviderState,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const named = readProvider(environment);
  if (!named) return undefined;
  if (offline) return "LLM_API_KEY is set, but the running service was started without it";
  // A service's own .env may name another provider. That of the current folder comes first.
  const isSame = !environment.LLM_BASE_URL?.trim() || new URL(named.baseUrl).host === host;
  return isSame ? undefined : `LLM_BASE_URL is ${named.baseUrl}, but the running service was started with ${host}`;
}

const indirectVariables = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "LLM_TLS_CERT"];

/** Whether the provider that the variables name would answer the services after a restart. */
export async function tryProvider(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const named = readProvider(environment);
  if (!named || indirectVariables.some((variable) => environment[variable]?.trim())) return [];
  // It takes a tenth of a second to load.
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
