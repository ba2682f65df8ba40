import type { ServiceName } from "./connections.ts";

/** What whoever serves this page says of where the services beside it are, as `/console.json`. The rest they say themselves. */
export interface Deployment {
  version?: string;
  addresses?: Partial<Record<ServiceName, string>>;
}

/** Reads `/console.json`; a page that is served without one knows nothing of its services but their usual addresses. */
export async function readDeployment(): Promise<Deployment> {
  const response = await fetch("/console.json").catch(() => undefined);
  if (!response?.ok || !response.headers.get("content-type")?.includes("json")) return {};
  return (await response.json()) as Deployment;
}
