/** The model's name where the offline provider is used without a key. */
export const OFFLINE_MODEL = "offline";

/**
 * The weight of a ranking by these vectors beside one by BM25, which sees the same words and also knows how rare they are.
 * It is the smallest weight with which a document that only the vectors find still reaches the first six. A higher one
 * ranks worse than BM25 alone on the training questions of SciFact. Vectors of a real model weigh as much as BM25.
 */
export const OFFLINE_EMBEDDING_WEIGHT = 0.3;
