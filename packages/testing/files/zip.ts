import { crc32, deflateRawSync } from "node:zlib";

export interface ZipPart {
  name: string;
  content: string | Uint8Array;
}

/** Builds a ZIP archive (APPNOTE.TXT 6.3.10). The part named "mimetype" isn't compressed, as EPUB and OpenDocument require. */
export function zip(parts: readonly ZipPart[]): Uint8Array {
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, content } of parts) {
    const raw = Buffer.from(content);
    const isStored = name === "mimetype";
    const data = isStored ? raw : deflateRawSync(raw);
    const nameBytes = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(0x0800, 2);
    common.writeUInt16LE(isStored ? 0 : 8, 4);
    common.writeUInt32LE(crc32(raw), 10);
    common.writeUInt32LE(data.length, 14);
    common.writeUInt32LE(raw.length, 18);
    common.writeUInt16LE(nameBytes.length, 22);
    const body = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, nameBytes, data]);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02\x14\x00", "latin1"), common, place, nameBytes]));
    bodies.push(body);
    offset += body.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", 0, "latin1");
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(list.length, 12);
  end.writeUInt32LE(offset, 16);
  return new Uint8Array(Buffer.concat([...bodies, list, end]));
}

/** Escapes text for XML content and quoted attributes. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
