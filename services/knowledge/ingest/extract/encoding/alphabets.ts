import { createDecoder } from "./decoders.ts";

/** A language's letters beyond ASCII, and the single-byte encodings used for it, most likely first. */
interface Alphabet {
  letters: ReadonlySet<string>;
  encodings: readonly string[];
}

const western = ["windows-1252", "macintosh", "cp850"];
const central = ["windows-1250", "iso-8859-2"];
const baltic = ["windows-1257", "iso-8859-13", "iso-8859-4"];
const cyrillic = ["windows-1251", "koi8-r", "ibm866", "iso-8859-5", "x-mac-cyrillic"];
const cyrillicOfUkraine = ["windows-1251", "koi8-u", "iso-8859-5", "x-mac-cyrillic"];

/** In order of preference: a tie goes to the language listed first. */
const alphabets: readonly Alphabet[] = [
  alphabet("äöüß", western),
  alphabet("àâæçèéêëîïôœùûüÿ", western),
  alphabet("áéíñóúüªº", western),
  alphabet("ãáâàçéêíóôõúüªº", western),
  alphabet("àèéìíîòóùúªº", western),
  alphabet("åäöé", western),
  alphabet("æøåéèêòóôö", western),
  alphabet("éëïöüèêá", western),
  alphabet("àçèéíïòóúü·ŀ", western),
  alphabet("ąćęłńóśźż", central),
  alphabet("áčďéěíňóřšťúůýž", central),
  alphabet("áäčďéíĺľňóôŕšťúýž", central),
  alphabet("áéíóöőúüű", central),
  alphabet("ăâîşţ", central),
  alphabet("čćđšž", central),
  alphabet("çğıİöşüâîû", ["windows-1254"]),
  alphabet("áéíóúýðþæö", western),
  alphabet("ąčęėįšųūž", baltic),
  alphabet("āčēģīķļņšūž", baltic),
  alphabet("äõöüšž", ["windows-1252", ...baltic]),
  alphabet("ăâđêôơưàáãèéìíòóùúýæ\u0300\u0301\u0303\u0309\u0323", ["windows-1258"]),
  alphabet("абвгдежзийклмнопрстуфхцчшщъыьэюяё", cyrillic),
  alphabet("абвгґдеєжзиіїйклмнопрстуфхцчшщьюя", cyrillicOfUkraine),
  alphabet("абвгдеёжзійклмнопрстуўфхцчшыьэюя", cyrillicOfUkraine),
  alphabet("абвгдђежзијклљмнњопрстћуфхцчџш", cyrillicOfUkraine),
  alphabet("абвгдѓежзѕијклљмнњопрстќуфхцчџш", cyrillicOfUkraine),
  alphabet("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ", ["windows-1253", "iso-8859-7"]),
  alphabet("אבגדהוזחטיכךלמםנןסעפףצץקרשת", ["windows-1255", "iso-8859-8"]),
  alphabet("ابتثجحخدذرزسشصضطظعغفقكلمنهويءآأؤإئىةپچژگ،؛؟", ["windows-1256", "iso-8859-6"]),
  alphabet("กขฃคฅฆงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮฤะาำเแโใไๅๆฯัิีึืฺุู็่้๊๋์ํ๐๑๒๓๔๕๖๗๘๙", ["windows-874"]),
];

/** For texts in several languages. */
const unions: readonly Alphabet[] = [
  alphabet("àáâãäåæçèéêëìíîïñòóôõöøùúûüýÿœßªº", western),
  alphabet("áâäąăćčçďđéęëěíîĺľłńňóôőöŕřśšşťţúůűüýźžż", central),
];

/** Minimum share of a text's letters beyond ASCII that belong to its language. */
const minShare = 0.9;

/** Shares that differ by no more than this count as equal. */
const margin = 0.02;

/** Maximum number of bytes to examine. More bytes hardly improve the guess. */
const maxExaminedBytes = 8 * 1024;

/** Signs of a wrong encoding: a control character, a symbol between letters, a capital after a small letter, or mixed scripts in a word. */
const faults = new RegExp(
  [
    String.raw`[\ufffd\u0080-\u009f]`,
    String.raw`(?<=\p{L})[\p{S}\u00a1\u00a7\u00ab\u00b1-\u00b3\u00b6\u00b9\u00bb-\u00bf†‡‰‹›„]+(?=\p{L})`,
    String.raw`(?<=\p{L})(?<!l)·(?=\p{L})`,
    String.raw`[\u2580-\u259f]|(?<=\p{L})[\u2500-\u257f]|[\u2500-\u257f](?=\p{L})`,
    String.raw`(?=[^\0-\x7f])(?:(?<=\p{Ll})\p{Lu}|\p{Ll}(?=\p{Lu}))`,
    String.raw`(?=[^\0-\x7f])(?:(?<=[a-z])(?!\p{sc=Latin})\p{L}|(?!\p{sc=Latin})\p{L}(?=[a-z]))`,
    `(?<![ก-๎])[ัิีึืฺุู็่้๊๋์ํ]`,
  ].join("|"),
  "gu",
);

/** The single-byte encodings in which a text consists of one language's letters, best first. Empty if no known language fits. */
export function findEncodingsByAlphabet(bytes: Uint8Array): string[] {
  const sample = bytes.subarray(0, maxExaminedBytes);
  const texts = new Map<string, EncodedText>();
  const measure = (some: readonly Alphabet[]) => {
    const shares = new Map<string, number>();
    for (const { letters, encodings } of some) {
      for (const encoding of encodings) {
        const text = texts.get(encoding) ?? new EncodedText(createDecoder(encoding).decode(sample));
        texts.set(encoding, text);
        shares.set(encoding, Math.max(shares.get(encoding) ?? 0, text.measureShare(letters)));
      }
    }
    return shares;
  };
  for (const some of [alphabets, unions]) {
    const shares = [...measure(some)];
    const best = Math.max(...shares.map(([, share]) => share));
    if (best >= minShare) return shares.filter(([, share]) => share >= best - margin).map(([encoding]) => encoding);
  }
  return [];
}

class EncodedText {
  readonly #letters = new Map<string, number>();
  readonly #faults: number;
  #count = 0;

  constructor(text: string) {
    for (const [letter] of text.matchAll(/(?=[^\0-\x7f])[\p{L}\p{M}]/gu)) {
      this.#letters.set(letter, (this.#letters.get(letter) ?? 0) + 1);
      this.#count++;
    }
    this.#faults = text.match(faults)?.length ?? 0;
  }

  /** The share of letters that belong to an alphabet, minus one for each fault. 1 for a text that contains only symbols. */
  measureShare(alphabet: ReadonlySet<string>): number {
    if (this.#count === 0) return this.#faults === 0 ? 1 : 0;
    let known = 0;
    for (const [letter, count] of this.#letters) if (alphabet.has(letter)) known += count;
    return (known - this.#faults) / this.#count;
  }
}

function alphabet(letters: string, encodings: readonly string[]): Alphabet {
  return { letters: new Set([...letters, ...letters.toUpperCase()]), encodings };
}
