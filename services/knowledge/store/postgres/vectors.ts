/** Bytes of a number, and of the header of a vector: the number of its numbers, and two unused bytes. */
const numberBytes = 4;
const vectorHeadBytes = 4;
/** Header of a one-dimensional array: number of dimensions, nulls, element type, length, lower bound. */
const arrayHeadBytes = 20;

/** A vector in PostgreSQL's binary format, which takes a third of the bytes of the text format, and much less time. */
export const encodeVector = (vector: Float32Array): Buffer => {
  const bytes = Buffer.alloc(vectorHeadBytes + vector.length * numberBytes);
  writeVector(bytes, 0, vector);
  return bytes;
};

/** An array of vectors in PostgreSQL's binary format. @param vectorType the type's id in this database */
export function encodeVectors(vectors: readonly Float32Array[], vectorType: number): Buffer {
  const size = vectors.reduce((sum, { length }) => sum + 4 + vectorHeadBytes + length * numberBytes, arrayHeadBytes);
  const bytes = Buffer.alloc(size);
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(0, 4);
  bytes.writeUInt32BE(vectorType, 8);
  bytes.writeInt32BE(vectors.length, 12);
  bytes.writeInt32BE(1, 16);
  let offset = arrayHeadBytes;
  for (const vector of vectors) {
    bytes.writeInt32BE(vectorHeadBytes + vector.length * numberBytes, offset);
    writeVector(bytes, offset + 4, vector);
    offset += 4 + vectorHeadBytes + vector.length * numberBytes;
  }
  return bytes;
}

/** Decodes the output of `vector_send`. */
export function decodeVector(bytes: Buffer): Float32Array {
  const numbers = Buffer.from(bytes.subarray(vectorHeadBytes)).swap32();
  return new Float32Array(numbers.buffer.slice(numbers.byteOffset, numbers.byteOffset + numbers.byteLength));
}

function writeVector(bytes: Buffer, offset: number, vector: Float32Array): void {
  bytes.writeInt16BE(vector.length, offset);
  const start = offset + vectorHeadBytes;
  bytes.set(new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength), start);
  bytes.subarray(start, start + vector.byteLength).swap32();
}
