/** With fewer chunks than this, all of them may be related to the question. */
const minChunks = 16;
/** Quantile of the similarities that counts as ordinary. In a narrow namespace, some chunks are related to most questions. */
const ordinaryQuantile = 0.25;

/** The similarity of an ordinary chunk, computed from many similarities. Chunks without a vector don't count. */
export function getOrdinarySimilarity(similarities: Float32Array): number {
  const known = similarities.filter(Number.isFinite).sort();
  return known.length < minChunks ? 0 : Math.max(0, known[Math.floor(known.length * ordinaryQuantile)] ?? 0);
}
