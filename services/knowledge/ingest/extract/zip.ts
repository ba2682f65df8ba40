import { constants, crc32, inflateRawSync } from "node:zlib";
import { ExtractionError, protectedMessage } from "./document.ts";

/** An entry of a ZIP archive's central directory (APPNOTE.TXT 6.3.10, section 4.3.12). */
export interface ZipEntry {
  /** Uses `/` between folders. Some writers of workbooks use `\\`, against section 4.4.17. */
  name: string;
  isEncrypted: boolean;
  method: number;
  compressedBytes: number;
  headerOffset: number;
  /** Offset of its record in the directory. */
  recordOffset: number;
  nameBytes: number;
}

/** Maximum number of entries to read. An office file has some hundreds. */
const maxEntries = 10_000;

/** The end record has 22 bytes, and a comment of at most 65,535 bytes. */
const maxEndRecordBytes = 22 + 65_535;

/** The entries of a ZIP archive, or undefined if it has no readable directory. */
export function readZipDirectory(bytes: Uint8Array): ZipEntry[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEndRecord(view);
  if (end === undefined) return undefined;
  const count = Math.min(view.getUint16(end + 10, true), maxEntries);
  const entries: ZipEntry[] = [];
  let offset = view.getUint32(end + 16, true);
  for (let index = 0; index < count; index++) {
    if (offset + 46 > bytes.byteLength || view.getUint32(offset, true) !== 0x02014b50) return undefined;
    const nameBytes = view.getUint16(offset + 28, true);
    entries.push({
      name: new TextDecoder().decode(bytes.subarray(offset + 46, offset + 46 + nameBytes)).replaceAll("\\", "/"),
      isEncrypted: (view.getUint16(offset + 8, true) & 1) === 1,
      method: view.getUint16(offset + 10, true),
      compressedBytes: view.getUint32(offset + 20, true),
      headerOffset: view.getUint32(offset + 42, true),
      recordOffset: offset,
      nameBytes,
    });
    offset += 46 + nameBytes + view.getUint16(offset + 30, true) + view.getUint16(offset + 32, true);
  }
  return entries;
}

/** The bytes of an entry as stored in the archive. */
function findStored(bytes: Uint8Array, { headerOffset, compressedBytes }: ZipEntry): Uint8Array | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (headerOffset + 30 > bytes.byteLength || view.getUint32(headerOffset, true) !== 0x04034b50) return undefined;
  const start = headerOffset + 30 + view.getUint16(headerOffset + 26, true) + view.getUint16(headerOffset + 28, true);
  return bytes.subarray(start, start + compressedBytes);
}

/** Up to the first `maxBytes` bytes of an entry, whatever size it claims. Empty if it can't be read. */
export function readZipEntryStart(bytes: Uint8Array, entry: ZipEntry, maxBytes: number): Uint8Array {
  const stored = findStored(bytes, entry)?.subarray(0, maxBytes);
  if (stored === undefined) return new Uint8Array();
  if (entry.method === 0) return stored;
  try {
    // Deflate compresses to no less than about a thousandth.
    return inflateRawSync(stored, { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: maxBytes * 1032 }).subarray(
      0,
      maxBytes,
    );
  } catch {
    return new Uint8Array(); // The real parser can't read it either, and reports the error.
  }
}

/**
 * The whole content of an entry.
 *
 * @throws ExtractionError `too_large` if it unpacks to more than `maxBytes`, whatever size it claims; `encrypted`; `damaged`
 */
export function readZipEntry(bytes: Uint8Array, entry: ZipEntry, maxBytes: number): Uint8Array {
  if (entry.isEncrypted) throw new ExtractionError("encrypted", `The file ${protectedMessage}`);
  const stored = findStored(bytes, entry);
  if (stored === undefined) throw createDamagedZipError();
  if (entry.method === 0) return stored;
  try {
    return inflateRawSync(stored, { maxOutputLength: maxBytes });
  } catch (error) {
    if ((error as { code?: string }).code !== "ERR_BUFFER_TOO_LARGE") throw createDamagedZipError();
    throw new ExtractionError(
      "too_large",
      `A part of the file is over the limit of ${maxBytes} bytes after decompression.`,
    );
  }
}

/**
 * An archive with the same entries, some of which have new content, by their `headerOffset`. The new content is not compressed.
 *
 * @throws ExtractionError `damaged` if entries share content, which would multiply it
 */
export function replaceZipEntries(bytes: Uint8Array, replacements: ReadonlyMap<number, Uint8Array>): Uint8Array {
  const parts: Uint8Array[] = [];
  const records: Uint8Array[] = [];
  let partsBytes = 0;
  let bytesLeft = [...replacements.values()].reduce((sum, { length }) => sum + length, bytes.byteLength);
  for (const entry of readZipDirectory(bytes) ?? []) {
    const { recordOffset, nameBytes, headerOffset } = entry;
    const record = Buffer.from(bytes.subarray(recordOffset, recordOffset + 46));
    const name = bytes.subarray(recordOffset + 46, recordOffset + 46 + nameBytes);
    const replacement = replacements.get(headerOffset);
    if (replacement !== undefined) {
      record.writeUInt16LE(0, 10);
      record.writeUInt32LE(crc32(replacement), 16);
      record.writeUInt32LE(replacement.length, 20);
      record.writeUInt32LE(replacement.length, 24);
    }
    const content = replacement ?? findStored(bytes, entry) ?? new Uint8Array();
    bytesLeft -= content.length;
    if (bytesLeft < 0) throw createDamagedZipError();
    // Clear the flag that puts the sizes after the content, because they are now before it.
    record.writeUInt16LE(record.readUInt16LE(8) & ~8, 8);
    record.fill(0, 30, 34);
    record.writeUInt32LE(partsBytes, 42);
    const header = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), record.subarray(6, 30)], 30);
    parts.push(header, name, content);
    records.push(record, name);
    partsBytes += header.length + nameBytes + content.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(records.length / 2, 8);
  end.writeUInt16LE(records.length / 2, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(partsBytes, 16);
  return Buffer.concat([...parts, directory, end]);
}

export const createDamagedZipError = () =>
  new ExtractionError("damaged", "The file is a ZIP archive that is truncated or damaged.");

function findEndRecord(view: DataView): number | undefined {
  const lowest = Math.max(0, view.byteLength - maxEndRecordBytes);
  for (let offset = view.byteLength - 22; offset >= lowest; offset--) {
    if (view.getUint32(offset, true) === 0x06054b50) return offset;
  }
  return undefined;
}
