import type { FoundPassage } from "./found-passages.ts";

/** The passages that a search gave to the model, as plain text. */
export function FoundPassages({ passages }: { passages: FoundPassage[] }) {
  if (passages.length === 0) return null;
  return (
    <ol className="found-passages">
      {passages.map(({ n, title, content }) => (
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
