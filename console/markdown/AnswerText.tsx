import { memo, useMemo } from "react";
import type { Components } from "react-markdown";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import type { NumberedCitation } from "../chat/messages.ts";
import { CitationMark } from "./CitationMark.tsx";
import { citationElement, remarkCitationMarks } from "./citation-marks.ts";
import { CitationsContext } from "./citations-context.ts";
import { SafeLink } from "./SafeLink.tsx";
import { ScrollingTable } from "./ScrollingTable.tsx";

/** HTML in a text is shown as text, images as links: nothing is loaded that the user did not ask for. */
const components = {
  a: ({ href, children }) => <SafeLink href={href}>{children}</SafeLink>,
  img: ({ src, alt }) => <SafeLink href={typeof src === "string" ? src : undefined}>{alt || "image"}</SafeLink>,
  table: ({ children }) => <ScrollingTable>{children}</ScrollingTable>,
  input: ({ checked }) => <span>{checked ? "☑" : "☐"} </span>,
  [citationElement]: CitationMark,
} as Components;

const noCitations: readonly NumberedCitation[] = [];
const nothing = () => undefined;

/** An agent's answer: Markdown, with citation marks that open passages. */
export const AnswerText = memo(function AnswerText({
  text,
  citations = noCitations,
  onCitation = nothing,
}: {
  text: string;
  citations?: readonly NumberedCitation[];
  onCitation?: (citation: NumberedCitation) => void;
}) {
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
