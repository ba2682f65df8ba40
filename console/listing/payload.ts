import type { Product } from "@agent-backends/contract";

interface LoosePayload {
  action?: string;
  posts?: Product[];
  hits?: Product[];
  particleCount?: number;
  timeframe?: { label?: string };
  query?: string;
}

const payloadOf = (result: unknown) => (typeof result === "object" && result !== null ? result : {}) as LoosePayload;

/** The launches in a tool's result. */
export function productsOf(result: unknown): Product[] {
  const { posts, hits } = payloadOf(result);
  return posts ?? hits ?? [];
}

/** What came of a tool call, in a few words. */
export function outcomeOf(result: unknown): string {
  if (result === undefined) return "running";
  const { action, particleCount, timeframe, query } = payloadOf(result);
  if (action === "CONFETTI") return `${particleCount} particles`;
  const count = productsOf(result).length;
  const about = timeframe?.label ?? query;
  return `${count === 1 ? "1 launch" : `${count} launches`}${about ? ` · ${about}` : ""}`;
}
