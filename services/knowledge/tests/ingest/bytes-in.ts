/** A text in a single-byte encoding. */
export function encodeText(encoding: string, text: string): Uint8Array {
  const characters = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Uint8Array.from([...text].map((character) => characters.indexOf(character)));
}
