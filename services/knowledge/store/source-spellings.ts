/**
 * A source as documents may have it. Names of files are stored in NFC, as people type them. Macs send them in NFD, and documents
 * that were stored before have the name that was sent.
 */
export const listSpellings = (source: string): string[] =>
  source.startsWith("file:") ? [...new Set([source, source.normalize("NFC"), source.normalize("NFD")])] : [source];
