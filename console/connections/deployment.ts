import type { ServiceName } from "./connections.ts";

/** What whoever serves this page says about the services beside it, as `/console.json`. */
export interface Deployment {
  version?: string;
  addresses?: Partial<Record<ServiceName, string>>;
  provider?: { offline: boolean; address?: string };
  models?: { label: string; model: string }[];
  /** Whether the launches are invented ones. */
  sampleSite?: boolean;
}

/** Reads `/console.json`; a page that is served without one knows nothing of its services but their usual addresses. */
export async function readDeployment(): Promise<Deployment> {
  const response = await fetch("/console.json").catch(() => undefined);
  if (!response?.ok || !response.headers.get("content-type")?.includes("json")) return {};
  return (await response.json()) as Deployment;
}
