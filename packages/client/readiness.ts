/** The state of something that a service depends on. */
export interface Dependency {
  status: "ok" | "degraded" | "checking" | "unproven";
  detail?: string;
  code?: string;
  /** Where it has to be fixed. */
  fault?: "configuration" | "network" | "provider";
  /** The line of `.env` that fixes it. */
  fix?: string;
}

export interface ProviderState extends Dependency {
  host: string;
  models: { chat?: string; embeddings?: string };
  /** Whether it is the offline provider, once that is known. */
  offline?: boolean;
  /** Whether it is left alone after failures. Absent if there is only one provider. */
  circuit?: "closed" | "open" | "half-open";
  checkedAt?: string;
}

/** The body of `GET /ready`. */
export interface Readiness {
  status: "ready";
  service: "knowledge" | "listing" | "relay";
  provider?: ProviderState & { fallbacks?: ProviderState[] };
  /** Where Listing gets its launches. */
  site?: Dependency & { source: string };
  warnings?: string[];
  asksForKey?: boolean;
  key?: "accepted" | "refused";
  /** What an accepted key may do. */
  scopes?: ("ask" | "read" | "write" | "admin")[];
  /** Why the other routes would refuse this request whatever its key. */
  refusal?: string;
}
