/** Decodes bytes piece by piece. The last call passes no bytes. */
export type Decoder = Pick<InstanceType<typeof TextDecoder>, "decode">;

/** Text with one character for each byte, in which ASCII can be searched. */
export const toLatin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");

/** The upper half of code page 850, which DOS uses in Western Europe, and which "CSV (MS-DOS)" files use. */
const codePage850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";

/** Creates a decoder for a TextDecoder label, or for `utf-32le`, `utf-32be` and `cp850`, which TextDecoder lacks. */
export function createDecoder(encoding: string): Decoder {
  if (encoding.startsWith("utf-32")) return new Utf32Decoder(encoding === "utf-32le");
  return encoding === "cp850" ? { decode: decodeCodePage850 } : new TextDecoder(encoding);
}

function decodeCodePage850(bytes: Uint8Array = new Uint8Array()): string {
  return toLatin1(bytes).replace(/[\x80-\xff]/g, (byte) => codePage850.charAt(byte.charCodeAt(0) - 0x80));
}

/** The length of each piece except the last must be a multiple of four bytes. */
class Utf32Decoder implements Decoder {
  readonly #isLittleEndian: boolean;
  #isStart = true;

  constructor(isLittleEndian: boolean) {
    this.#isLittleEndian = isLittleEndian;
  }

  decode(bytes: Uint8Array = new Uint8Array()): string {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const parts: string[] = [];
    for (let offset = 0; offset + 4 <= bytes.byteLength; offset += 4) {
      const code = view.getUint32(offset, this.#isLittleEndian);
      if (!this.#isStart || code !== 0xfeff) parts.push(code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code));
      this.#isStart = false;
    }
    return parts.join("");
  }
}
