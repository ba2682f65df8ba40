import { knowledgeLimitEntries } from "./knowledge/limits.ts";
import type { LimitEntries, LimitValue } from "./limits.ts";
import { capacityLimits, relayLimits, runLimits, sharedLimits } from "./limits.ts";
import { listingLimitEntries } from "./listing/limits.ts";

/** A row of docs/limits.md. */
export interface Limit {
  service: "all" | "knowledge" | "listing" | "relay";
  what: string;
  value: LimitValue;
  unit: string;
  beyond: number | string;
  /** The environment variable that changes the limit. */
  variable: string | undefined;
}

const rows = (service: Limit["service"], entries: LimitEntries): Limit[] =>
  Object.values(entries).map(([value, unit, what, beyond, variable]) => ({
    service,
    what,
    value,
    unit,
    beyond,
    variable,
  }));

export const limitTable: readonly Limit[] = [
  ...rows("all", { ...sharedLimits, ...runLimits }),
  ...rows("knowledge", { ...capacityLimits, ...knowledgeLimitEntries }),
  ...rows("listing", listingLimitEntries),
  ...rows("relay", relayLimits),
];
