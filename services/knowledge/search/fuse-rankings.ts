/** What tells chunks apart. */
interface RankedChunk {
  document: { id: string };
  index: number;
}

/**
 * The constant of reciprocal rank fusion (Cormack, Clarke and Büttcher, SIGIR 2009), where it is 60 to fuse many rankings.
 * Of a few, the first places of each say more than that one is far down in all.
 */
export const rankConstant = 1;

/** The hits of several searches for the same thing as one ranking, by reciprocal rank; of equals the earlier search's first. */
export function fuseRankings<Hit extends RankedChunk>(rankings: readonly Hit[][]): Hit[] {
  const [first = [], ...others] = rankings;
  if (others.length === 0) return first;
  const fused = new Map<string, { hit: Hit; weight: number }>();
  for (const ranking of rankings) {
    for (const [position, hit] of ranking.entries()) {
      const key = `${hit.document.id}:${hit.index}`;
      const weight = (fused.get(key)?.weight ?? 0) + 1 / (rankConstant + position + 1);
      fused.set(key, { hit, weight });
    }
  }
  return [...fused.values()].sort((one, other) => other.weight - one.weight).map(({ hit }) => hit);
}
