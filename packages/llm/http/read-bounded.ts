/** Reads at most `maxBytes` of a body as text; what is beyond is dropped. */
export async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    size += piece.length;
    // Leaving the loop cancels the rest of the body.
    if (size > maxBytes) break;
  }
  return Buffer.concat(pieces).subarray(0, maxBytes).toString("utf8");
}
