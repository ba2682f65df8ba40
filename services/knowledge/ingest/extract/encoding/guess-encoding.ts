import chardet from "chardet";
import { findEncodingsByAlphabet } from "./alphabets.ts";

/** A sample begins this many bytes before its first byte beyond ASCII, so that it contains the beginning of that word. */
export const bytesBeforeSample = 32;

/** Minimum confidence, out of 100, of chardet's guess by letter frequencies. */
const minConfidence = 30;

/** Minimum confidence for Latin scripts. chardet confuses them, so the most common encoding is right more often than a weak guess. */
const minConfidenceOfLatin = 45;

/** Minimum number of two-byte characters. Fewer may be Latin letters that happen to form pairs. */
const minPairs = 3;

/** Minimum share of common characters among a text's two-byte characters. */
const minCommonShare = 0.75;

/**
 * East Asian encodings with two bytes for most characters, and the lead bytes of common characters: kana and the first level of
 * kanji (JIS X 0208), the first level of hanzi (GB 2312), the frequent hanzi of Big5, and hangul (KS X 1001). In order of
 * preference: a tie goes to the encoding with fewer common characters.
 */
const pairEncodings: readonly { name: string; isLead(byte: number): boolean; isCommon(lead: number): boolean }[] = [
  {
    name: "shift_jis",
    isLead: (byte) => (byte >= 0x81 && byte <= 0x9f) || byte >= 0xe0,
    isCommon: (lead) => (lead >= 0x81 && lead <= 0x83) || (lead >= 0x88 && lead <= 0x97),
  },
  {
    name: "euc-kr",
    isLead: (byte) => byte >= 0x81,
    isCommon: (lead) => lead === 0xa1 || (lead >= 0xb0 && lead <= 0xc8),
  },
  {
    name: "gb18030",
    isLead: (byte) => byte >= 0x81,
    isCommon: (lead) => lead === 0xa1 || lead === 0xa3 || (lead >= 0xb0 && lead <= 0xd7),
  },
  {
    name: "euc-jp",
    isLead: (byte) => byte >= 0x8e,
    isCommon: (lead) => (lead >= 0xa1 && lead <= 0xa5) || (lead >= 0xb0 && lead <= 0xcf),
  },
  {
    name: "big5",
    isLead: (byte) => byte >= 0x81,
    isCommon: (lead) => lead === 0xa1 || (lead >= 0xa4 && lead <= 0xc6),
  },
];

const latinEncodings: ReadonlySet<string> = new Set([
  "ISO-8859-1",
  "ISO-8859-2",
  "ISO-8859-9",
  "windows-1250",
  "windows-1252",
  "windows-1254",
  "windows-1257",
]);

/**
 * Guesses the encoding of text that isn't UTF-8 and declares no encoding. Returns a WHATWG label or `cp850`, by default windows-1252.
 *
 * @param sample part of the text, starting at a word beyond ASCII
 */
export function guessEncoding(sample: Uint8Array): string {
  const pairs = pairEncodings.map(({ name, ...kind }) => ({ name, share: measureCommonPairs(sample, name, kind) }));
  const best = pairs.reduce((one, other) => (other.share > one.share ? other : one));
  const guesses = chardet
    .analyse(sample)
    .filter(({ name, confidence }) => isDecodable(name) && confidence >= minConfidence);
  const guess = guesses.find(({ name }) => !name.startsWith("UTF-"));
  if (best.share >= minCommonShare) {
    // If several encodings fit, letter frequencies decide.
    const close = new Set(pairs.filter(({ share }) => share > best.share - 0.1).map(({ name }) => name));
    const agreed = guesses.find(({ name }) => close.has(name.toLowerCase()));
    return agreed?.name.toLowerCase() ?? best.name;
  }
  const written = findEncodingsByAlphabet(sample);
  const agreed = guesses.find(({ name }) => written.includes(name.toLowerCase()));
  if (written[0] !== undefined)
    return written[0] === "windows-1252" ? written[0] : (agreed?.name.toLowerCase() ?? written[0]);
  if (guess === undefined) return "windows-1252";
  if (latinEncodings.has(guess.name) && guess.confidence < minConfidenceOfLatin) return "windows-1252";
  return guess.name.toLowerCase();
}

function isDecodable(label: string): boolean {
  try {
    return new TextDecoder(label) !== undefined;
  } catch {
    return false;
  }
}

/** The share of common characters among the two-byte characters, or 0 if the bytes aren't text in this encoding. */
function measureCommonPairs(
  bytes: Uint8Array,
  name: string,
  { isLead, isCommon }: { isLead(byte: number): boolean; isCommon(lead: number): boolean },
): number {
  try {
    const text = new TextDecoder(name, { fatal: true }).decode(bytes, { stream: true });
    if (/[\p{Co}\p{Cn}]/u.test(text)) return 0;
    // Unlike East Asian characters, accented Latin letters that happen to form pairs are inside words.
    const withinWords = text.match(/(?<=[a-z])[^\0-\x7f]|[^\0-\x7f](?=[a-z])/g)?.length ?? 0;
    if (withinWords * 3 > (text.match(/[^\0-\x7f]/g)?.length ?? 0)) return 0;
  } catch {
    return 0;
  }
  let pairs = 0;
  let common = 0;
  for (let index = 0; index < bytes.length; index++) {
    const lead = bytes[index] ?? 0;
    if (lead < 0x80 || !isLead(lead)) continue;
    pairs++;
    common += Number(isCommon(lead));
    index++;
  }
  return pairs < minPairs ? 0 : common / pairs;
}
