import type { ReactNode } from "react";
import { createContext, memo, use, useMemo, useRef } from "react";
import type { Components } from "react-markdown";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import type { NumberedCitation } from "../conversations/messages.ts";
import { CopyButton } from "../design/CopyButton.tsx";
import type { AnswerTextProps } from "./AnswerText.tsx";
import { citationElement, remarkCitationMarks } from "./citation-marks.ts";
import { safeComponents } from "./safe-components.tsx";

/** Opens a citation's chunk; `claim` is what the answer says with the mark that was used. */
export type OpenCitation = (citation: NumberedCitation, claim?: string) => void;

/** What an answer's citation marks stand for, and what opens a chunk. */
interface Citations {
  citations: readonly NumberedCitation[];
  onOpen: OpenCitation;
}

const CitationsContext = createContext<Citations>({ citations: [], onOpen: () => undefined });

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

/** A citation mark in a text. */
function CitationMark({ number, claim }: { number?: number | string; claim?: string }) {
  const { citations, onOpen } = use(CitationsContext);
  const citation = citations.find(({ n }) => n === Number(number));
  return citation && <CitationChip citation={citation} onOpen={() => onOpen(citation, claim)} />;
}

/** The number of a chunk, as a button that opens it. */
function CitationChip({ citation, onOpen }: { citation: NumberedCitation; onOpen: () => void }) {
  const page = citation.page === undefined ? "" : `, page ${citation.page}`;
  return (
    <button type="button" className="chip" title={citation.title + page} onClick={onOpen}>
      {citation.n}
    </button>
  );
}

/** A block of code, which scrolls by itself and can be copied. */
function CodeBlock({ children }: { children?: ReactNode }) {
  const code = useRef<HTMLPreElement>(null);
  return (
    <div className="code-block">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre ref={code} tabIndex={0}>
        {children}
      </pre>
      <CopyButton iconOnly label="Copy the code" text={() => code.current?.textContent ?? ""} />
    </div>
  );
}
