import type { FoundChunk } from "./found-chunks.ts";

/** The chunks that a search gave to the model, as plain text. */
export function FoundChunks({ chunks }: { chunks: FoundChunk[] }) {
  if (chunks.length === 0) return null;
  return (
    <ol className="found-chunks">
      {chunks.map(({ n, title, content }) => (
        <li key={n}>
          <p className="found-title">
            {n}. {title}
          </p>
          <p className="muted small">{content}</p>
        </li>
      ))}
    </ol>
  );
}
