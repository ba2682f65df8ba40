import { ToolCallCard } from "../chat/ToolCallCard.tsx";
import type { AssistantMessage } from "../conversations/messages.ts";
import { formatPlace, formatSource } from "../documents/open-chunk.ts";
import { AnswerText } from "../markdown/AnswerText.tsx";
import type { OpenCitation } from "../markdown/MarkdownAnswer.tsx";

/** A librarian's answer: its searches folded, its text with citations, and what these stand for. */
export function KnowledgeAnswer({ answer, onCitation }: { answer: AssistantMessage; onCitation: OpenCitation }) {
  return (
    <>
      {answer.toolCalls.map((call) => {
        const found = foundChunks(call.result);
        const outcome = call.result === undefined ? "searching" : `${found.length} chunks found`;
        return (
          <ToolCallCard key={call.id} call={call} outcome={found.length === 1 ? "1 chunk found" : outcome}>
            <FoundChunks chunks={found} />
          </ToolCallCard>
        );
      })}
      {answer.text && <AnswerText text={answer.text} citations={answer.citations} onCitation={onCitation} />}
      {answer.citations.length > 0 && <SourceList answer={answer} onCitation={onCitation} />}
    </>
  );
}

/** The chunks that a search gave to the model, as plain text. */
function FoundChunks({ chunks }: { chunks: FoundChunk[] }) {
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

/** A chunk as a search gave it to the model. */
interface FoundChunk {
  n: number;
  title?: string;
  content?: string;
}

/** The chunks in a search's result. */
function foundChunks(result: unknown): FoundChunk[] {
  const { results } = (result ?? {}) as { results?: unknown };
  if (!Array.isArray(results)) return [];
  return results.filter((chunk): chunk is FoundChunk => typeof chunk?.n === "number");
}

/** What an answer's numbers stand for. Each entry opens its chunk. */
function SourceList({ answer, onCitation }: { answer: AssistantMessage; onCitation: OpenCitation }) {
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
