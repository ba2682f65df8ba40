import { useEffect, useRef, useState } from "react";
import { useConnections } from "../connections/context.ts";
import { readDocument } from "../connections/knowledge-api.ts";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { Notice } from "../design/Notice.tsx";
import { SafeLink } from "../markdown/SafeLink.tsx";
import { useResource } from "../stream/use-resource.ts";
import { passageInDocument } from "./passage-in-document.ts";
import { placeOf } from "./SourceList.tsx";

/** A passage of a document. */
export interface OpenPassage {
  namespace: string;
  documentId: string;
  title: string;
  source: string;
  quote: string;
  start: number;
  end: number;
  page?: number | undefined;
  heading?: string | undefined;
  url?: string | undefined;
}

/** Characters shown before and after the quote at first. */
const contextLength = 1_200;

/** A passage where it stands in its document, the quote marked. */
export function PassageDialog({ passage, onClose }: { passage: OpenPassage; onClose: () => void }) {
  const { knowledge } = useConnections().connections;
  const [whole, setWhole] = useState(false);
  const mark = useRef<HTMLElement>(null);
  const { value, error } = useResource(
    (signal) => readDocument(knowledge, passage.namespace, passage.documentId, signal),
    [knowledge, passage],
  );
  const { before, quote, after, shortened } = passageInDocument(value?.text, passage, whole ? Infinity : contextLength);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text around the mark moves it
  useEffect(() => {
    mark.current?.scrollIntoView({ block: "center" });
  }, [before, after]);
  const place = placeOf(passage);
  return (
    <Dialog
      title={passage.title}
      onClose={onClose}
      about={
        <p className="muted small">
          {place && `${place} · `}
          {passage.url ? <SafeLink href={passage.url}>{passage.url}</SafeLink> : passage.source}
        </p>
      }
    >
      <div className="stack">
        {error && <Notice>The rest of the document can't be shown. {error.message}</Notice>}
        <p className="document-text">
          {before}
          <mark ref={mark}>{quote}</mark>
          {after}
        </p>
        {shortened && (
          <Button small onClick={() => setWhole(true)}>
            Show the whole document
          </Button>
        )}
      </div>
    </Dialog>
  );
}
