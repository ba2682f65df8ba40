/** Bullets, arrows and marks by their codes in the fonts Symbol and Wingdings, which aren't characters of Unicode. */
const symbols: Readonly<Record<string, string>> = {
  "\uf04a": "☺",
  "\uf04c": "☹",
  "\uf06f": "□",
  "\uf071": "❑",
  "\uf076": "❖",
  "\uf0a7": "▪",
  "\uf0a8": "□",
  "\uf0b7": "•",
  "\uf0d8": "➢",
  "\uf0df": "←",
  "\uf0e0": "→",
  "\uf0e8": "➔",
  "\uf0f0": "⇨",
  "\uf0fc": "✓",
  "\uf0fd": "☒",
  "\uf0fe": "☑",
};

/** Replaces the codes that programs store for these symbols. PowerPoint writes "-->" as one of them. */
export const replaceSymbols = (text: string): string =>
  text.replace(/[\uf04a-\uf0fe]/g, (code) => symbols[code] ?? code);
