/** The state of a dependency of the service. */
export interface Dependency {
  status: "ok" | "degraded" | "checking" | "unproven";
  detail?: string;
  code?: string;
  /** Where the problem has to be fixed. */
  fault?: "configuration" | "network" | "provider";
  /** The line of `.env` that fixes the problem. */
  fix?: string;
}

export interface ProviderState extends Dependency {
  host: string;
  models: { chat?: string; embeddings?: string };
  /** Whether this is the offline provider. Absent until that is known. */
  offline?: boolean;
  /** Whether the service has stopped asking this provider after failures. Absent if there is only one provider. */
  circuit?: "closed" | "open" | "half-open";
  checkedAt?: string;
}

/** The body of `GET /ready`. */
export interface Readiness {
  status: "ready";
  service: "knowledge" | "listing" | "relay";
  provider?: ProviderState & { fallbacks?: ProviderState[] };
  /** The site that Listing reads launches from. */
  site?: Dependency & { source: string };
  warnings?: string[];
  asksForKey?: boolean;
  key?: "accepted" | "refused";
  /** Permissions of an accepted key. */
  scopes?: ("ask" | "read" | "write" | "admin")[];
  /** Why other routes would refuse this request, whatever its key. */
  refusal?: string;
}
