import { open } from "node:fs/promises";
import { join } from "node:path";

/** Maximum number of bytes in one row. */
export const pieceBytes = 1024 * 1024;

/** A part of a file, as stored in one row. */
export type FilePiece = { name: string; piece: number; bytes: Buffer };

/** The pieces of the files in a folder. Every file has at least one, even an empty file. */
export async function* readPieces(
  folder: string,
  names: readonly string[],
): AsyncGenerator<FilePiece, void, undefined> {
  for (const name of names) {
    await using file = await open(join(folder, name), "r");
    const { size } = await file.stat();
    for (let piece = 0; piece === 0 || piece * pieceBytes < size; piece += 1) {
      const bytes = Buffer.alloc(Math.min(pieceBytes, size - piece * pieceBytes));
      await file.read(bytes, 0, bytes.length, piece * pieceBytes);
      yield { name, piece, bytes };
    }
  }
}
