/**
 * The spellings under which documents may have a source. File names are stored in NFC, the form that people type. Macs send them in
 * NFD, and documents stored by earlier versions have the name as it was sent.
 */
export const listSpellings = (source: string): string[] =>
  source.startsWith("file:") ? [...new Set([source, source.normalize("NFC"), source.normalize("NFD")])] : [source];
