export { respondWithLexicalEmbeddings } from "./embeddings-responder.ts";
export { lexicalEmbedding, offlineEmbeddingDimensions } from "./lexical-embedding.ts";
export { startOfflineProvider } from "./start-offline-provider.ts";
