const foldedCharacters = new Map<string, string>([
  ["ı", "i"],
  ["İ", "i"],
  ["ł", "l"],
  ["Ł", "l"],
  ["ø", "o"],
  ["Ø", "o"],
  ["ß", "s"],
  ["ё", "е"],
  ["Ё", "е"],
  ["أ", "ا"],
  ["إ", "ا"],
  ["آ", "ا"],
  ["ى", "ي"],
  ["؟", "?"],
  ["،", ","],
  ["‘", "'"],
  ["’", "'"],
  ["`", "'"],
  ["´", "'"],
  ["“", '"'],
  ["”", '"'],
  ["„", '"'],
  ["«", '"'],
  ["»", '"'],
  ["‐", "-"],
  ["‑", "-"],
  ["‒", "-"],
  ["–", "-"],
  ["—", "-"],
]);

const plain = /^[^\u0080-\uffff]*$/;

/**
 * Lower case without accents: "Über" becomes "uber", full-width letters and digits become ASCII and typographic
 * quotes and dashes plain ones. Every UTF-16 unit stays one unit, so that positions in both texts agree.
 */
export function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase().replaceAll("`", "'");
  let folded = "";
  for (let index = 0; index < text.length; index++) {
    const unit = text.charAt(index);
    folded += foldUnit(unit);
  }
  return folded;
}

function foldUnit(unit: string): string {
  let folded = foldedCharacters.get(unit);
  if (folded === undefined) {
    folded = unit;
    // Latin with accents, and the full-width forms of ASCII; other scripts need their marks.
    if (unit < "\u0250" || (unit >= "\u1e00" && unit < "\u1f00"))
      folded = unit.normalize("NFD").charAt(0).toLowerCase();
    else if (unit >= "\uff01" && unit <= "\uff5e") folded = unit.normalize("NFKC").toLowerCase();
    else if (unit.toLowerCase().length === 1) folded = unit.toLowerCase();
    foldedCharacters.set(unit, folded);
  }
  return folded;
}
