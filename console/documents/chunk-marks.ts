import type { BlockContent, Nodes, PhrasingContent, Root } from "mdast";

/** Offsets into a text, in UTF-16 units. `end` is exclusive. */
export interface Range {
  start: number;
  end: number;
}

/** The chunk within a text, and the parts of it that support a claim. Everything else is context. */
export interface ChunkRanges {
  chunk: Range;
  supports: readonly Range[];
}

interface ChunkPiece {
  text: string;
  kind: "context" | "chunk" | "support";
  start: number;
}

/** Splits a part of a text, which begins at `offset`, wherever the kind of text changes. */
export function cutPieces(text: string, offset: number, { chunk, supports }: ChunkRanges): ChunkPiece[] {
  const end = offset + text.length;
  const cuts = [chunk, ...supports]
    .flatMap((range) => [range.start, range.end])
    .filter((at) => at > offset && at < end);
  const edges = [...new Set([offset, ...cuts, end])].sort((a, b) => a - b);
  return edges.slice(0, -1).map((start, index) => {
    const covers = (range: Range) => range.start <= start && start < range.end;
    const kind = supports.some(covers) ? "support" : covers(chunk) ? "chunk" : "context";
    return { text: text.slice(start - offset, (edges[index + 1] ?? end) - offset), kind, start };
  });
}

/** A remark plugin that wraps supporting text in `mark` and context in `span.context`. HTML becomes text. */
export function remarkChunkMarks({ source, ranges }: { source: string; ranges: ChunkRanges }) {
  return (tree: Root) => markChildren(tree, source, ranges);
}

function markChildren(node: Nodes, source: string, ranges: ChunkRanges): void {
  if (!("children" in node)) return;
  const children = node.children as Nodes[];
  (node.children as Nodes[]) = children.flatMap((child): Nodes[] => {
    if (child.type === "html") {
      const text = splitText(child, source, ranges);
      const isBlock = ["root", "blockquote", "listItem"].includes(node.type);
      return isBlock ? [{ type: "paragraph", children: text } satisfies BlockContent] : text;
    }
    if (child.type === "text") return splitText(child, source, ranges);
    if (child.type === "inlineCode" || child.type === "code") {
      const [piece] = cutPieces(child.value, child.position?.start.offset ?? 0, ranges);
      if (child.type === "inlineCode") return [wrap(child, piece?.kind)];
      if (piece?.kind === "context") child.data = { hProperties: { className: ["context"] } };
    }
    markChildren(child, source, ranges);
    return [child];
  });
}

function splitText(
  node: Extract<Nodes, { type: "text" | "html" }>,
  source: string,
  ranges: ChunkRanges,
): PhrasingContent[] {
  const { position, value } = node;
  // Nodes without a position were created by a plugin.
  if (position?.start.offset === undefined || position.end.offset === undefined) return [{ type: "text", value }];
  const { start, end } = { start: position.start.offset, end: position.end.offset };
  const written = source.slice(start, end);
  const toTextOffset = (at: number) =>
    start + toValueOffset(written, value, Math.min(Math.max(at, start), end) - start);
  const moved = (range: Range) => ({ start: toTextOffset(range.start), end: toTextOffset(range.end) });
  const inValue = { chunk: moved(ranges.chunk), supports: ranges.supports.map(moved) };
  return cutPieces(value, start, inValue).map(({ text, kind }) => wrap({ type: "text", value: text }, kind));
}

/** Converts an offset in a node's source to an offset in its value, which has no escapes and no prefixes of quoted lines. */
function toValueOffset(written: string, value: string, target: number): number {
  if (written.length === value.length) return target;
  let offset = 0;
  for (let at = 0; at < target && offset < value.length; at++) if (written[at] === value[offset]) offset++;
  return offset;
}

function wrap(node: PhrasingContent, kind: ChunkPiece["kind"] = "chunk"): PhrasingContent {
  if (kind === "chunk") return node;
  const context = { hName: "span", hProperties: { className: ["context"] } };
  return { type: "emphasis", children: [node], data: kind === "support" ? { hName: "mark" } : context };
}
