import type { AssistantMessage } from "../conversations/messages.ts";
import type { OpenCitation } from "../markdown/citations-context.ts";
import { formatPlace, formatSource } from "./place.ts";

/** What an answer's numbers stand for. Each entry opens its chunk. */
export function SourceList({ answer, onCitation }: { answer: AssistantMessage; onCitation: OpenCitation }) {
  const { citations } = answer;
  return (
    <ol className="source-list small" aria-label="Sources">
      {citations.map((citation) => {
        const { n, title, source, document_id } = citation;
        const hasNamesake = citations.some((other) => other.title === title && other.document_id !== document_id);
        const about = [hasNamesake && formatSource(source), formatPlace(citation)].filter(Boolean).join(" · ");
        return (
          <li key={n}>
            <button type="button" className="source-open" onClick={() => onCitation(citation)}>
              <span className="source-number">{n}</span>
              <span className="source-title">{title}</span>
              {about && <span className="muted truncate">{about}</span>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
