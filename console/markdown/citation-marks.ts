import type { Nodes, PhrasingContent, Root } from "mdast";
import { ClaimReader, splitMarks } from "./claims.ts";

/** The element that replaces a citation mark. Properties: `number` of the citation, and the `claim` before the mark. */
export const citationElement = "citation-mark";

/** Blocks whose text before a mark is its claim. */
const blocks: readonly Nodes["type"][] = ["paragraph", "heading", "tableRow"];

type IsCited = (n: number) => boolean;

/** A remark plugin that replaces `[n]` in text, not in code, if `isCited` knows the number. */
export function remarkCitationMarks({ isCited }: { isCited: IsCited }) {
  return (tree: Root) => replaceIn(tree, isCited, new ClaimReader());
}

function replaceIn(node: Nodes, isCited: IsCited, outer: ClaimReader): void {
  if ("value" in node) outer.addText(node.value);
  if (!("children" in node)) return;
  const reader = blocks.includes(node.type) ? new ClaimReader() : outer;
  const children = node.children as Nodes[];
  (node.children as Nodes[]) = children.flatMap((child): Nodes[] => {
    if (child.type === "text") return markedText(child.value, isCited, reader);
    if (child.type !== "link") replaceIn(child, isCited, reader);
    return [child];
  });
  if (node.type === "tableCell") reader.addText(" ");
}

function markedText(text: string, isCited: IsCited, reader: ClaimReader): PhrasingContent[] {
  return splitMarks(text).flatMap((piece): PhrasingContent[] => {
    if ("text" in piece) {
      reader.addText(piece.text);
      return [{ type: "text", value: piece.text }];
    }
    if (!piece.numbers.some(isCited)) return [{ type: "text", value: `[${piece.numbers.join(", ")}]` }];
    const claim = reader.takeClaim();
    return piece.numbers.filter(isCited).map((number) => ({
      type: "emphasis",
      children: [],
      data: { hName: citationElement, hProperties: { number, ...(claim !== undefined && { claim }) } },
    }));
  });
}
