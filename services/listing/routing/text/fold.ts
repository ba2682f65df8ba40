import known from "../tables/folded-characters.json" with { type: "json" };

const foldedCharacters = new Map<string, string>(Object.entries(known));
const plain = /^[^\u0080-\uffff]*$/;

/**
 * Converts to lower case without accents: "Über" becomes "uber", full-width letters and digits become ASCII, and typographic quotes and
 * dashes plain ones. Every UTF-16 unit stays one unit, so that positions in both texts agree.
 */
export function fold(text: string): string {
  if (plain.test(text)) return text.toLowerCase().replaceAll("`", "'");
  let folded = "";
  for (let index = 0; index < text.length; index++) folded += foldUnit(text.charAt(index));
  return folded;
}

function foldUnit(unit: string): string {
  let folded = foldedCharacters.get(unit);
  if (folded === undefined) {
    folded = unit;
    // Latin with accents, and the full-width forms of ASCII. Other scripts need their marks.
    if (unit < "\u0250" || (unit >= "\u1e00" && unit < "\u1f00"))
      folded = unit.normalize("NFD").charAt(0).toLowerCase();
    else if (unit >= "\uff01" && unit <= "\uff5e") folded = unit.normalize("NFKC").toLowerCase();
    else if (unit.toLowerCase().length === 1) folded = unit.toLowerCase();
    foldedCharacters.set(unit, folded);
  }
  return folded;
}
