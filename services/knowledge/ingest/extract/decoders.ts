/** Turns bytes into text, a piece at a time; the last call has none. */
export type Decoder = Pick<InstanceType<typeof TextDecoder>, "decode">;

/** The upper half of code page 850, which DOS wrote in Western Europe and "CSV (MS-DOS)" still is. */
const codePage850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";

/** The decoder of an encoding that TextDecoder knows by this label, or of `utf-32le`, `utf-32be` and `cp850`, which it doesn't. */
export function decoderOf(encoding: string): Decoder {
  if (encoding.startsWith("utf-32")) return new Utf32Decoder(encoding === "utf-32le");
  return encoding === "cp850" ? { decode: decodeCodePage850 } : new TextDecoder(encoding);
}

function decodeCodePage850(bytes: Uint8Array = new Uint8Array()): string {
  const latin1 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
  return latin1.replace(/[\x80-\xff]/g, (byte) => codePage850.charAt(byte.charCodeAt(0) - 0x80));
}

/** UTF-32, which TextDecoder doesn't know; all pieces but the last one have a multiple of four bytes. */
class Utf32Decoder implements Decoder {
  readonly #littleEndian: boolean;
  #isStart = true;

  constructor(littleEndian: boolean) {
    this.#littleEndian = littleEndian;
  }

  decode(bytes: Uint8Array = new Uint8Array()): string {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const parts: string[] = [];
    for (let offset = 0; offset + 4 <= bytes.byteLength; offset += 4) {
      const code = view.getUint32(offset, this.#littleEndian);
      if (!this.#isStart || code !== 0xfeff) parts.push(code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code));
      this.#isStart = false;
    }
    return parts.join("");
  }
}
