import chardet from "chardet";
import { findEncodingsByAlphabet } from "./alphabets.ts";
import { toLatin1 } from "./decoders.ts";

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
 * East Asian encodings with two bytes for most characters: their lead bytes, and those of common characters: kana and the first level
 * of kanji (JIS X 0208), the first level of hanzi (GB 2312), the frequent hanzi of Big5, and hangul (KS X 1001). In order of preference:
 * a tie goes to the encoding with fewer common characters.
 */
const pairEncodings = [
  { name: "shift_jis", pair: /[\x81-\x9f\xe0-\xff].?/gs, common: /^[\x81-\x83\x88-\x97]/ },
  { name: "euc-kr", pair: /[\x81-\xff].?/gs, common: /^[\xa1\xb0-\xc8]/ },
  { name: "gb18030", pair: /[\x81-\xff].?/gs, common: /^[\xa1\xa3\xb0-\xd7]/ },
  { name: "euc-jp", pair: /[\x8e-\xff].?/gs, common: /^[\xa1-\xa5\xb0-\xcf]/ },
  { name: "big5", pair: /[\x81-\xff].?/gs, common: /^[\xa1\xa4-\xc6]/ },
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
  const pairs = pairEncodings.map((one) => ({ name: one.name, share: measureCommonPairs(sample, one) }));
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
function measureCommonPairs(bytes: Uint8Array, { name, pair, common }: (typeof pairEncodings)[number]): number {
  try {
    const text = new TextDecoder(name, { fatal: true }).decode(bytes, { stream: true });
    if (/[\p{Co}\p{Cn}]/u.test(text)) return 0;
    // Unlike East Asian characters, accented Latin letters that happen to form pairs are inside words.
    const withinWords = text.match(/(?<=[a-z])[^\0-\x7f]|[^\0-\x7f](?=[a-z])/g)?.length ?? 0;
    if (withinWords * 3 > (text.match(/[^\0-\x7f]/g)?.length ?? 0)) return 0;
  } catch {
    return 0;
  }
  const pairs = toLatin1(bytes).match(pair) ?? [];
  return pairs.length < minPairs ? 0 : pairs.filter((one) => common.test(one)).length / pairs.length;
}
