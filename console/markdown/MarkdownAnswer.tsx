import { memo, useMemo } from "react";
import type { Components } from "react-markdown";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import type { NumberedCitation } from "../conversations/messages.ts";
import { CitationMark } from "./CitationMark.tsx";
import { CodeBlock } from "./CodeBlock.tsx";
import { citationElement, remarkCitationMarks } from "./citation-marks.ts";
import { CitationsContext } from "./citations-context.ts";
import { safeComponents } from "./components.tsx";
import type { AnswerTextProps } from "./markdown-loader.ts";

const components = { ...safeComponents, pre: CodeBlock, [citationElement]: CitationMark } as Components;

const noCitations: readonly NumberedCitation[] = [];
const nothing = () => undefined;

/** An agent's answer: Markdown, with citation marks that open chunks. */
export const MarkdownAnswer = memo(function MarkdownAnswer({
  text,
  citations = noCitations,
  onCitation = nothing,
}: AnswerTextProps) {
  const context = useMemo(() => ({ citations, onOpen: onCitation }), [citations, onCitation]);
  const isCited = (n: number) => citations.some((citation) => citation.n === n);
  return (
    <CitationsContext value={context}>
      <div className="answer-text">
        <Markdown remarkPlugins={[remarkGfm, [remarkCitationMarks, { isCited }]]} components={components}>
          {text}
        </Markdown>
      </div>
    </CitationsContext>
  );
});
