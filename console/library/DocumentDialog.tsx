import { useMemo, useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { knowledgeAt } from "../connections/clients.ts";
import { useResource } from "../connections/use-resource.ts";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { Notice } from "../design/Notice.tsx";
import { ChunkText } from "../documents/ChunkText.tsx";
import { cutChunkWindow } from "../documents/chunk-window.ts";
import { formatSource } from "../documents/open-chunk.ts";
import { SafeLink } from "../markdown/safe-components.tsx";

/** Number of characters shown at first, and added by each "Show more". */
const stepLength = 20_000;

/** A document's text, from its beginning. */
export function DocumentDialog({
  namespace,
  documentId,
  onClose,
}: {
  namespace: string;
  documentId: string;
  onClose: () => void;
}) {
  const { knowledge } = useConnections().connections;
  const [length, setLength] = useState(stepLength);
  const { value, error } = useResource(
    (signal) => knowledgeAt(knowledge).getDocument(namespace, documentId, { signal }),
    [knowledge, namespace, documentId],
  );
  const part = useMemo(() => {
    const { text, isPart } = cutChunkWindow(value?.text ?? "", { quote: "", start: 0, end: 0 }, length);
    return { text, isPart, ranges: { chunk: { start: 0, end: text.length }, supports: [] } };
  }, [value, length]);
  const { url } = value?.metadata ?? {};
  return (
    <Dialog
      title={value?.title ?? "Document"}
      onClose={onClose}
      about={
        value && (
          <p className="muted small">{url ? <SafeLink href={url}>{url}</SafeLink> : formatSource(value.source)}</p>
        )
      }
    >
      <div className="stack">
        {error && <Notice danger>{error.message}</Notice>}
        {!value && !error && <span className="skeleton" />}
        {value && <ChunkText text={part.text} ranges={part.ranges} contentType={value.metadata.content_type} />}
        {part.isPart && <Button onClick={() => setLength(length + stepLength)}>Show more</Button>}
      </div>
    </Dialog>
  );
}
