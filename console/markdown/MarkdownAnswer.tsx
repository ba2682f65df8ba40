import type { ReactNode } from "react";
import { createContext, memo, use, useMemo, useRef } from "react";
import type { Components } from "react-markdown";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import type { NumberedCitation } from "../conversations/messages.ts";
import { CopyButton } from "../design/CopyButton.tsx";
import { citationElement, remarkCitationMarks } from "./citation-marks.ts";
import { Formula } from "./Formula.tsx";
import { extractFormulas, formulaElement, remarkFormulas } from "./formulas.ts";
import { safeComponents } from "./safe-components.tsx";

/** Opens a citation's chunk. `claim` is the text before the clicked citation mark. */
export type OpenCitation = (citation: NumberedCitation, claim?: string) => void;

export interface AnswerTextProps {
  text: string;
  citations?: readonly NumberedCitation[];
  onCitation?: OpenCitation;
}

interface Citations {
  citations: readonly NumberedCitation[];
  onCitation: OpenCitation;
}

const noCitations: Citations = { citations: [], onCitation: () => undefined };
const CitationsContext = createContext(noCitations);

/** An answer as Markdown, with formulas, and with citation marks that open chunks. */
export const MarkdownAnswer = memo(function MarkdownAnswer({
  text,
  citations = noCitations.citations,
  onCitation = noCitations.onCitation,
}: AnswerTextProps) {
  const context = useMemo(() => ({ citations, onCitation }), [citations, onCitation]);
  const { text: markdown, formulas } = useMemo(() => extractFormulas(text), [text]);
  const isCited = (n: number) => citations.some((citation) => citation.n === n);
  return (
    <CitationsContext value={context}>
      <div className="stack answer-text" dir="auto">
        <Markdown
          remarkPlugins={[remarkGfm, [remarkFormulas, { formulas }], [remarkCitationMarks, { isCited }]]}
          remarkRehypeOptions={rehypeOptions}
          components={components}
        >
          {markdown}
        </Markdown>
      </div>
    </CitationsContext>
  );
});

/** A citation's number, as a button that opens its chunk. */
function CitationMark({ number, claim }: { number?: number | string; claim?: string }) {
  const { citations, onCitation } = use(CitationsContext);
  const citation = citations.find(({ n }) => n === Number(number));
  if (!citation) return null;
  const page = citation.page === undefined ? "" : `, page ${citation.page}`;
  return (
    <button type="button" className="chip" title={citation.title + page} onClick={() => onCitation(citation, claim)}>
      {citation.n}
    </button>
  );
}

/** A block of code with a copy button. */
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

/** A mark that leads back from a footnote is a link within the page, which a chat doesn't have. */
const rehypeOptions = { footnoteBackContent: () => [] };

const components = {
  ...safeComponents,
  pre: CodeBlock,
  [citationElement]: CitationMark,
  [formulaElement]: Formula,
} as Components;
