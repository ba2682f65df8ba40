/** Bytes looked at when the encoding is guessed from how often a byte occurs. */
const sampleBytes = 64 * 1024;

/**
 * Text of `bytes`. The encoding is that of the byte order mark, else the declared one (a WHATWG label such as
 * "shift_jis"), else UTF-8 when it is valid or nearly so, else UTF-16 when its zero bytes show it, else windows-1252,
 * which can read any bytes. Bytes that the encoding can't read become U+FFFD.
 */
export function decodeText(bytes: Uint8Array, declared?: string): string {
  const marked = encodingOfByteOrderMark(bytes);
  if (marked === "utf-32le" || marked === "utf-32be") return decodeUtf32(bytes.subarray(4), marked === "utf-32le");
  if (marked !== undefined) return new TextDecoder(marked).decode(bytes);
  const named = declared === undefined ? undefined : decoderFor(declared);
  if (named !== undefined) return named.decode(bytes);
  const wide = encodingOfZeroBytes(bytes);
  if (wide !== undefined) return new TextDecoder(wide).decode(bytes);
  const utf8 = new TextDecoder().decode(bytes);
  return isMostlyReadable(utf8) ? utf8 : new TextDecoder("windows-1252").decode(bytes);
}

/** The `charset` of a Content-Type value. */
export function charsetOf(contentType: string | undefined): string | undefined {
  return /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? "")?.[1];
}

function encodingOfByteOrderMark(bytes: Uint8Array): string | undefined {
  const [a, b, c, d] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return "utf-8";
  if (a === 0xff && b === 0xfe) return c === 0 && d === 0 && bytes.length % 4 === 0 ? "utf-32le" : "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (a === 0 && b === 0 && c === 0xfe && d === 0xff) return "utf-32be";
  return undefined;
}

function decoderFor(label: string): InstanceType<typeof TextDecoder> | undefined {
  try {
    return new TextDecoder(label.trim());
  } catch {
    return undefined; // A label that nobody knows says nothing about the bytes.
  }
}

/** In UTF-16 text of most scripts every other byte is often zero; in UTF-8 none is. */
function encodingOfZeroBytes(bytes: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const sample = bytes.subarray(0, sampleBytes);
  let even = 0;
  let odd = 0;
  for (let index = 0; index < sample.length; index++) {
    if (sample[index] !== 0) continue;
    if (index % 2 === 0) even++;
    else odd++;
  }
  const pairs = sample.length / 2;
  if (odd > pairs * 0.3 && even < pairs * 0.05) return "utf-16le";
  if (even > pairs * 0.3 && odd < pairs * 0.05) return "utf-16be";
  return undefined;
}

/** Whether bytes read as UTF-8 hold at least as many other letters beyond ASCII as unreadable places. */
function isMostlyReadable(text: string): boolean {
  let unreadable = 0;
  let beyondAscii = 0;
  let previous = 0;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code === 0xfffd) unreadable += previous === 0xfffd ? 0 : 1;
    else if (code > 0x7f) beyondAscii++;
    previous = code;
  }
  return unreadable <= beyondAscii;
}

function decodeUtf32(bytes: Uint8Array, littleEndian: boolean): string {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: string[] = [];
  for (let offset = 0; offset + 4 <= bytes.byteLength; offset += 4) {
    const code = view.getUint32(offset, littleEndian);
    parts.push(code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code));
  }
  return parts.join("");
}
