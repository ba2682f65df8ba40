import { replaceSymbols } from "../symbols.ts";

/** Arabic letters in the shape for their position in a word (Unicode's Arabic Presentation Forms). */
const arabicForms = /[\ufb50-\ufdff\ufe70-\ufefc]+/g;

/** An accent before its letter, which TeX produces with fonts that have no accented letters: "gew¨ahlt". */
const accentInFront = /([¨´ˆ˜ˇ¸]|(?<=\p{L})`)([a-zA-Zı])/gu;
const combining: Record<string, string> = {
  "¨": "\u0308",
  "´": "\u0301",
  "`": "\u0300",
  ˆ: "\u0302",
  "˜": "\u0303",
  ˇ: "\u030c",
  "¸": "\u0327",
};

/** Replaces symbols and look-alike letters that the PDF's program drew with the letters that people write and search for. */
export const writeLetters = (text: string): string =>
  replaceSymbols(text)
    .replace(arabicForms, (forms) => forms.normalize("NFKC"))
    .replace(accentInFront, (drawn: string, accent: string, letter: string) => {
      const written = `${letter === "ı" ? "i" : letter}${combining[accent]}`.normalize("NFC");
      return written.length === 1 ? written : drawn;
    });
