import type { ServiceName } from "../connections/connections.ts";

/** Whose it is to mend what fails. */
export type Fault = "configuration" | "network" | "provider";

/** What a service says of something that it depends on. */
interface Dependency {
  status: string;
  detail?: string;
  fault?: Fault;
  fix?: string;
}

/** What `GET /ready` says. */
export interface Readiness {
  status: "ready";
  service: string;
  provider?: Dependency & { host: string; models: { chat?: string; embeddings?: string }; offline?: boolean };
  /** Where Listing has its launches from. */
  site?: Dependency & { source: string };
  warnings?: string[];
  asksForKey?: boolean;
  key?: "accepted" | "refused";
  /** Why its other routes refuse requests of this page to this address. */
  refusal?: string;
}

/** What the services call themselves; both relays are the same. */
export const serviceKinds: Record<ServiceName, string> = {
  knowledge: "knowledge",
  listing: "listing",
  relay: "relay",
  relayNest: "relay",
};

/** The body as a service of ours answers it; `undefined` for anything else. */
export function parseReadiness(text: string): Readiness | undefined {
  try {
    const body = JSON.parse(text) as Readiness;
    return body.status === "ready" && typeof body.service === "string" ? body : undefined;
  } catch {
    return undefined;
  }
}

/** The detail of a problem document of ours, and its name; `undefined` for anything else. */
export function parseProblem(text: string): { name: string; detail: string } | undefined {
  try {
    const { type, detail } = JSON.parse(text) as { type?: unknown; detail?: unknown };
    const [, name] = /^urn:agent-backends:problem:(.+)$/.exec(String(type)) ?? [];
    return name !== undefined && typeof detail === "string" ? { name, detail } : undefined;
  } catch {
    return undefined;
  }
}
