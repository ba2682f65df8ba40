import type { Nodes, Root } from "mdast";

/** The element that replaces a formula. Properties: its `tex`, and whether it is on `display` and `open`, without its end. */
export const formulaElement = "answer-formula";

interface Formula {
  /** The formula as the answer has it, with its marks. */
  source: string;
  tex: string;
  isDisplay: boolean;
  isOpen: boolean;
}

/** Any characters up to an empty line or the beginning of a formula. The bound keeps the search linear. */
const character = String.raw`(?:(?!\n[ \t]*\n|(?<!\\)\\[([])[^])`;
const body = `${character}{1,4000}?`;
const lineStart = String.raw`(?<=^|\n)([ \t>]*(?:[-*+]|\d+[.)])?[ \t]*)`;

/**
 * Matches code, which contains no formulas, or a formula. A single dollar opens a formula only before a visible character, and closes it
 * only after one. Neither dollar may touch a letter or digit outside the formula, so that "$5 and $10" and "$HOME" stay text.
 */
const codeOrFormula = new RegExp(
  [
    String.raw`(?<=^|\n)[ \t>]*(?<fence>\x60{3,}|~{3,})[^]*?(?:\n[ \t>]*\k<fence>|$)`,
    String.raw`(?<!\x60)(?<ticks>\x60+)(?!\x60)${body}(?<!\x60)\k<ticks>(?!\x60)`,
    String.raw`\$\$(?<dollars>${body})\$\$`,
    String.raw`(?<!\\)\\\((?<round>${body})\\\)`,
    String.raw`${lineStart}\\\[(?<square>${body})\\\](?=[ \t.,;:]*(?:\n|$))`,
    String.raw`(?<![\w$\\])\$(?<dollar>(?![\s$])(?:\\.|[^$\n\\]){1,1000}?(?<!\s))\$(?![\w$])`,
    String.raw`${lineStart}(?:\$\$|\\\[)(?<open>(?:(?!\$\$|\\\])${character}){0,4000})$`,
  ].join("|"),
  "g",
);

/** Amounts of money: "$5 and 10$". */
const isMoney = (tex: string) => /^\d[^\\=^_]*\s\p{L}{2,}/u.test(tex);

// Private characters, which Markdown leaves alone. The number between them is the formula's position.
const [before, after] = ["\uE000", "\uE001"];
const placeholder = /\uE000(\d+)\uE001/g;

/** Replaces formulas by placeholders, so that Markdown doesn't read their backslashes, underscores and asterisks as its own. */
export function extractFormulas(text: string): { text: string; formulas: readonly Formula[] } {
  const formulas: Formula[] = [];
  if (!/\$|\\[([]/.test(text) || text.includes(before)) return { text, formulas };
  const replaced = text.replace(codeOrFormula, (source, ...rest) => {
    const { dollars, round, square, dollar, open } = rest.at(-1) as Record<string, string | undefined>;
    const tex = dollars ?? round ?? square ?? dollar ?? open;
    if (tex === undefined || (dollar !== undefined && isMoney(dollar))) return source;
    const isDisplay = (dollars ?? square ?? open) !== undefined;
    const start = square === undefined && open === undefined ? 0 : source.search(/\$\$|\\\[/);
    formulas.push({ source: source.slice(start), tex: tex.trim(), isDisplay, isOpen: open !== undefined });
    return `${source.slice(0, start)}${before}${formulas.length - 1}${after}`;
  });
  return { text: replaced, formulas };
}

/** A remark plugin that replaces the placeholders of these formulas by elements, and in code and links by their source. */
export function remarkFormulas({ formulas }: { formulas: readonly Formula[] }) {
  const restore = (text: string) => text.replace(placeholder, (_, index) => formulas[Number(index)]?.source ?? "");
  const visit = (node: Nodes): void => {
    if ("value" in node) node.value = restore(node.value);
    if ("url" in node) node.url = restore(node.url);
    if ("alt" in node && node.alt) node.alt = restore(node.alt);
    if (!("children" in node)) return;
    (node.children as Nodes[]) = (node.children as Nodes[]).flatMap((child): Nodes[] => {
      if (child.type === "text") return splitText(child.value);
      visit(child);
      return [child];
    });
  };
  const splitText = (text: string): Nodes[] =>
    text.split(placeholder).flatMap((piece, index): Nodes[] => {
      if (index % 2 === 0) return piece === "" ? [] : [{ type: "text", value: piece }];
      const { tex, isDisplay: display, isOpen: open } = formulas[Number(piece)] ?? {};
      const data = { hName: formulaElement, hProperties: { tex, display, open } };
      return [{ type: "emphasis", children: [], data } as Nodes];
    });
  return (tree: Root) => {
    if (formulas.length > 0) visit(tree);
  };
}
