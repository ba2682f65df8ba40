import type { ServiceName } from "../connections/connections.ts";
import { parseObject } from "../json.ts";

/** Where a problem has to be fixed. */
export type Fault = "configuration" | "network" | "provider";

/** The state of something that a service depends on. */
interface Dependency {
  status: string;
  detail?: string;
  fault?: Fault;
  fix?: string;
}

interface Provider extends Dependency {
  host: string;
  models: { chat?: string; embeddings?: string };
  offline?: boolean;
  /** `open` and `half-open`: it failed several times and is left alone. Absent if there is only one provider. */
  circuit?: string;
}

/** The body of `GET /ready`. */
export interface Readiness {
  status: "ready";
  service: string;
  provider?: Provider & { fallbacks?: Provider[] };
  /** Where Listing gets its launches. */
  site?: Dependency & { source: string };
  warnings?: string[];
  asksForKey?: boolean;
  key?: "accepted" | "refused";
  /** Why the other routes would refuse this page's requests. */
  refusal?: string;
}

/** The name that each service answers with. Both relays have the same. */
export const serviceKinds: Record<ServiceName, string> = {
  knowledge: "knowledge",
  listing: "listing",
  relay: "relay",
  relayNest: "relay",
};

/** Parses the body of one of our services. Undefined for anything else. */
export function parseReadiness(text: string): Readiness | undefined {
  const body = parseObject(text);
  return body?.status === "ready" && typeof body.service === "string" ? (body as unknown as Readiness) : undefined;
}
