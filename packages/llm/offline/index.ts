export { respondWithLexicalEmbeddings } from "./embeddings-responder.ts";
export { lexicalEmbedding, OFFLINE_EMBEDDING_DIMENSIONS } from "./lexical-embedding.ts";
export { startOfflineProvider } from "./start-offline-provider.ts";
