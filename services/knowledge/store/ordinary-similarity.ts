/** With fewer chunks than this, all of them may have to do with the question. */
const minChunks = 16;
/** The quantile of the similarities that is ordinary: some chunks of a narrow namespace have to do with most of its questions. */
const ordinaryQuantile = 0.25;

/** The similarity of an ordinary chunk, from those of many. Chunks without a vector don't count. */
export function getOrdinarySimilarity(similarities: Float32Array): number {
  const known = similarities.filter(Number.isFinite).sort();
  return known.length < minChunks ? 0 : Math.max(0, known[Math.floor(known.length * ordinaryQuantile)] ?? 0);
}
