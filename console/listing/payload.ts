import type { Product } from "@agent-backends/contract";

interface LoosePayload {
  action?: string;
  posts?: Product[];
  hits?: Product[];
  particleCount?: number;
  timeframe?: { label?: string };
  query?: string;
  /** How many launches there are in all, where the site tells. */
  total?: number;
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
  const { action, particleCount, timeframe, query, total } = payloadOf(result);
  if (action === "CONFETTI") return `${particleCount} particles`;
  const count = productsOf(result).length;
  const isPart = total !== undefined && total > count;
  const about = timeframe?.label ?? query;
  const launches = count === 1 && !isPart ? "1 launch" : `${isPart ? `${count} of ${total}` : count} launches`;
  return about ? `${launches} · ${about}` : launches;
}
