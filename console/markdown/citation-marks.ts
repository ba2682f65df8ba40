import type { Nodes, PhrasingContent, Root } from "mdast";
import { splitMarks } from "./marks.ts";

/** The element that a citation mark becomes; its property `number` says which passage. */
export const citationElement = "citation-mark";

/** A remark plugin: `[n]` in text, but not in code, becomes a citation mark where `isCited` knows the number. */
export function remarkCitationMarks({ isCited }: { isCited: (n: number) => boolean }) {
  return (tree: Root) => replaceIn(tree, isCited);
}

function replaceIn(node: Nodes, isCited: (n: number) => boolean): void {
  if (!("children" in node)) return;
  const children = node.children as Nodes[];
  (node.children as Nodes[]) = children.flatMap((child): Nodes[] => {
    if (child.type === "text") return markedText(child.value, isCited);
    if (child.type !== "link") replaceIn(child, isCited);
    return [child];
  });
}

function markedText(text: string, isCited: (n: number) => boolean): PhrasingContent[] {
  return splitMarks(text).flatMap((piece): PhrasingContent[] => {
    if ("text" in piece) return [{ type: "text", value: piece.text }];
    if (!piece.numbers.some(isCited)) return [{ type: "text", value: `[${piece.numbers.join(", ")}]` }];
    return piece.numbers.filter(isCited).map((number) => ({
      type: "emphasis",
      children: [],
      data: { hName: citationElement, hProperties: { number } },
    }));
  });
}
