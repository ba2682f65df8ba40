import { ToolCallCard } from "../chat/ToolCallCard.tsx";
import type { AssistantMessage } from "../conversations/messages.ts";
import { AnswerText } from "../markdown/AnswerText.tsx";
import type { OpenCitation } from "../markdown/citations-context.ts";
import { FoundChunks } from "./FoundChunks.tsx";
import { foundChunks } from "./found-chunks.ts";
import { SourceList } from "./SourceList.tsx";

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
