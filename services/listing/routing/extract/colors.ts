import { fold } from "../text/fold.ts";
import { pattern } from "../text/pattern.ts";

const colors: Record<string, string> = {
  "#FF0000": "red rojo rouge rot vermelho rosso rood czerwony kirmizi красн* लाल 赤 红色 빨간",
  "#FFA500": "orange naranja laranja arancione oranje pomaranczowy turuncu оранжев* नारंगी オレンジ 橙色 주황",
  "#FFD700": "gold golden dorado dore goldene oro dourado goud zloty altin золот* सुनहरा 金 金色 금색",
  "#FFFF00": "yellow amarillo jaune gelb amarelo giallo geel zolty sari желт* पीला 黄色 노란",
  "#00C853": "green verde vert grun groen zielony yesil зелен* हरा 緑 绿色 초록",
  "#0066FF": "blue azul bleu blau blu blauw niebieski mavi син* नीला 青 蓝色 파란",
  "#00BCD4": "cyan turquoise teal aqua",
  "#000080": "navy",
  "#800080": "purple violet morado violeta lila roxo viola paars fioletowy mor фиолетов* बैंगनी 紫 紫色 보라",
  "#FF69B4": "pink rosa rose roze rozowy pembe розов* गुलाबी ピンク 粉色 분홍",
  "#FF00FF": "magenta fuchsia",
  "#C0C0C0": "silver plata argent silber prata argento zilver серебр* 銀 银色 은색",
  "#FFFFFF": "white blanco blanc weiss branco bianco wit bialy beyaz бел* सफेद 白 白色 하얀",
  "#000000": "black negro noir schwarz preto nero zwart czarny siyah черн* काला 黒 黑色 검은",
  "#8B4513": "brown marron braun marrom marrone bruin",
  "#808080": "grey gray gris grau cinza grigio grijs",
};
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
