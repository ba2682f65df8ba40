/** Name of the model when the offline provider is used without a key. */
export const offlineModel = "offline";

/**
 * Weight of a ranking by these vectors relative to a BM25 ranking, which sees the same words and also knows how rare they are. This is the
 * smallest weight at which a document that only the vectors find still reaches the top six. A higher weight ranks worse than BM25 alone on
 * the training questions of SciFact. Vectors of a real model have the same weight as BM25.
 */
export const offlineEmbeddingWeight = 0.3;
