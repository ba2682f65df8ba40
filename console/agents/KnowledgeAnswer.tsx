import { ToolCallCard } from "../chat/ToolCallCard.tsx";
import type { AssistantMessage } from "../conversations/messages.ts";
import { formatCount } from "../design/format.ts";
import { formatPlace, formatSource } from "../documents/open-chunk.ts";
import { AnswerText } from "../markdown/AnswerText.tsx";
import type { OpenCitation } from "../markdown/MarkdownAnswer.tsx";

interface Props {
  answer: AssistantMessage;
  onCitation: OpenCitation;
}

/** A librarian's answer: its searches, its text, and its sources. */
export function KnowledgeAnswer({ answer, onCitation }: Props) {
  return (
    <>
      {answer.toolCalls.map((call) => {
        const found = parseSearchResult(call.result);
        const outcome = call.result === undefined ? "searching" : `${formatCount(found.length, "chunk")} found`;
        return (
          <ToolCallCard key={call.id} call={call} outcome={outcome}>
            {found.length > 0 && (
              <ol className="stack found-chunks">
                {found.map(({ n, title, content }) => (
                  <li key={n}>
                    <p className="found-title">
                      {n}. {title}
                    </p>
                    <p className="muted small">{content}</p>
                  </li>
                ))}
              </ol>
            )}
          </ToolCallCard>
        );
      })}
      {answer.text && <AnswerText text={answer.text} citations={answer.citations} onCitation={onCitation} />}
      {answer.citations.length > 0 && <SourceList answer={answer} onCitation={onCitation} />}
    </>
  );
}

/** A chunk in the form in which the search tool gave it to the model. */
interface FoundChunk {
  n: number;
  title?: string;
  content?: string;
}

function parseSearchResult(result: unknown): FoundChunk[] {
  const { results } = (result ?? {}) as { results?: unknown };
  if (!Array.isArray(results)) return [];
  return results.filter((chunk): chunk is FoundChunk => typeof chunk?.n === "number");
}

/** The answer's citations. Each entry opens its chunk. */
function SourceList({ answer: { citations }, onCitation }: Props) {
  return (
    <ol className="source-list small" aria-label="Sources">
      {citations.map((citation) => {
        const { n, title, source, document_id } = citation;
        const isTitleAmbiguous = citations.some((other) => other.title === title && other.document_id !== document_id);
        const about = [isTitleAmbiguous && formatSource(source), formatPlace(citation)].filter(Boolean).join(" · ");
        return (
          <li key={n}>
            <button type="button" className="bare-button row nowrap source-open" onClick={() => onCitation(citation)}>
              <span className="source-number">{n}</span>
              <span className="source-title truncate">{title}</span>
              {about && <span className="muted truncate">{about}</span>}
            </button>
          </li>
        );
      })}
    </ol>
  );
}
