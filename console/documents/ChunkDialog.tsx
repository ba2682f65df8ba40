import type { DocumentResponse } from "@agent-backends/client";
import type { KeyboardEvent } from "react";
import { useEffect, useMemo, useRef, useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { knowledgeAt } from "../connections/clients.ts";
import { useResource } from "../connections/use-resource.ts";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { Notice } from "../design/Notice.tsx";
import { SafeLink } from "../markdown/safe-components.tsx";
import { ChunkText } from "./ChunkText.tsx";
import { cutChunkWindow } from "./chunk-window.ts";
import type { OpenChunk } from "./open-chunk.ts";
import { formatPlace, formatSource } from "./open-chunk.ts";

/** Number of characters shown before and after the quote at first. Each "Show more" multiplies it. */
const contextLength = 800;
const contextGrowthFactor = 5;

/** Shows one chunk at a time within its document, with the sentences that support the answer marked. */
export function ChunkDialog({
  chunks,
  first,
  onClose,
}: {
  chunks: readonly OpenChunk[];
  first: number;
  onClose: () => void;
}) {
  const { knowledge } = useConnections().connections;
  const [position, setPosition] = useState(first);
  const [documents] = useState(() => new Map<string, DocumentResponse>());
  const chunk = chunks[position];
  if (!chunk) return null;
  const step = (by: number) => setPosition((position + by + chunks.length) % chunks.length);
  const onKeyDown = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    // Arrow keys scroll a focused table.
    const isTaken = event.target instanceof Element && event.target.closest(".table-frame");
    if (by === undefined || isTaken || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    step(by);
  };
  const readDocumentOnce = async ({ namespace, documentId }: OpenChunk, signal: AbortSignal) => {
    const known = documents.get(documentId);
    const document = known ?? (await knowledgeAt(knowledge).getDocument(namespace, documentId, { signal }));
    documents.set(documentId, document);
    return document;
  };
  const place = formatPlace(chunk);
  const source = formatSource(chunk.source);
  return (
    <Dialog
      title={chunk.title}
      onClose={onClose}
      onKeyDown={onKeyDown}
      about={
        <p className="chunk-about small">
          {place && <span className="chunk-place">{place}</span>}
          {chunk.url ? (
            <SafeLink href={chunk.url}>{chunk.url}</SafeLink>
          ) : (
            source !== chunk.title && <span className="muted">{source}</span>
          )}
        </p>
      }
      foot={
        chunks.length > 1 && (
          <>
            <Button icon="previous" onClick={() => step(-1)}>
              Previous
            </Button>
            <span className="muted small" role="status">
              {position + 1} of {chunks.length}
              <span className="visually-hidden">: {[chunk.title, place].filter(Boolean).join(", ")}</span>
            </span>
            <Button icon="next" onClick={() => step(1)}>
              Next
            </Button>
          </>
        )
      }
    >
      <ChunkInDocument key={position} chunk={chunk} load={readDocumentOnce} />
    </Dialog>
  );
}

function ChunkInDocument({
  chunk,
  load,
}: {
  chunk: OpenChunk;
  load: (chunk: OpenChunk, signal: AbortSignal) => Promise<DocumentResponse>;
}) {
  // Without marks, show the chunk itself at the top.
  const [context, setContext] = useState(chunk.supports.length > 0 ? contextLength : 0);
  const content = useRef<HTMLDivElement>(null);
  const { value, error } = useResource((signal) => load(chunk, signal), [chunk]);
  const { text, ranges, isPart } = useMemo(() => {
    const part = cutChunkWindow(value?.text, chunk, context);
    const shift = part.chunk.start - chunk.start;
    const supports = chunk.supports.map(({ start, end }) => ({ start: start + shift, end: end + shift }));
    return { ...part, ranges: { chunk: part.chunk, supports } };
  }, [value, chunk, context]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever the text around the mark changes
  useEffect(() => {
    const mark = content.current?.querySelector("mark");
    (mark ?? content.current)?.scrollIntoView({ block: mark ? "center" : "start" });
  }, [text]);
  if (!value && !error) return <span className="skeleton" role="status" aria-label="Loading the document" />;
  return (
    <div className="stack" ref={content}>
      {error && <Notice>The rest of the document can't be shown. {error.message}</Notice>}
      <ChunkText text={text} ranges={ranges} contentType={value?.metadata.content_type} />
      {isPart && (
        <Button onClick={() => setContext(Math.max(contextLength, context * contextGrowthFactor))}>
          Show more of the document
        </Button>
      )}
    </div>
  );
}
