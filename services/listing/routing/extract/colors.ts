import colors from "../tables/colors.json" with { type: "json" };
import { fold } from "../text/fold.ts";
import { pattern } from "../text/pattern.ts";

const latin = pattern(String.raw`^[\p{Script=Latin}]+$`);
const hexByName = new Map<string, string>();
const stems: [stem: string, hex: string][] = [];
for (const [hex, names] of Object.entries(colors)) {
  for (const name of names.split(" ").map(fold)) {
    if (latin.test(name)) hexByName.set(name, hex);
    else stems.push([name.replace(/\*$/, ""), hex]);
  }
}

const colorWord = pattern(String.raw`#([0-9a-f]{6}|[0-9a-f]{3})(?![0-9a-f\p{L}])|[a-z]+`, "g");

/** The colours in a folded text as `#RRGGBB`, in order: names in all supported languages and hex codes. */
export function findColors(text: string): string[] {
  const found: [index: number, hex: string][] = [];
  for (const match of text.matchAll(colorWord)) {
    const [word, hex] = match;
    if (hex !== undefined)
      found.push([match.index, `#${(hex.length === 3 ? hex.replaceAll(/./g, "$&$&") : hex).toUpperCase()}`]);
    else {
      const named = hexByName.get(word);
      if (named !== undefined) found.push([match.index, named]);
    }
  }
  for (const [stem, hex] of stems) {
    const index = text.indexOf(stem);
    if (index >= 0) found.push([index, hex]);
  }
  return [...new Set(found.sort(([one], [other]) => one - other).map(([, hex]) => hex))];
}
