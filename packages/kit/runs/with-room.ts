/**
 * Ensures room for `more` bytes after the first `length` ones: returns the given buffer, or a copy of these bytes that is at least twice as
 * large.
 */
export function withRoom(buffer: Buffer, length: number, more: number): Buffer {
  const needed = length + more;
  if (needed <= buffer.length) return buffer;
  const grown = Buffer.allocUnsafeSlow(Math.max(needed, buffer.length * 2));
  buffer.copy(grown, 0, 0, length);
  return grown;
}
