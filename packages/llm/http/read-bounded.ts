import { ProviderError } from "../errors/provider-error.ts";

/** Reads at most `maxBytes` of a body as text. What is beyond is dropped when `cut` is set, else it is a ProviderError. */
export async function readBounded(response: Response, maxBytes: number, cut = false): Promise<string> {
  return (await readBoundedBytes(response, maxBytes, cut)).toString("utf8");
}

/** The same, as bytes. */
export async function readBoundedBytes(response: Response, maxBytes: number, cut = false): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of response.body ?? []) {
    pieces.push(piece);
    size += piece.length;
    if (size <= maxBytes) continue;
    // Leaving the loop cancels the rest of the body.
    if (cut) break;
    throw new ProviderError("invalid", "The model provider's answer is too large.");
  }
  return Buffer.concat(pieces).subarray(0, maxBytes);
}
