import { useState } from "react";
import { useConnections } from "../connections/context.ts";
import { readDocument } from "../connections/knowledge-api.ts";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { Notice } from "../design/Notice.tsx";
import { SafeLink } from "../markdown/SafeLink.tsx";
import { useResource } from "../stream/use-resource.ts";

/** Characters that are shown at first, and with each further step. */
const stepLength = 20_000;

/** A document's text, as it was stored. */
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
    (signal) => readDocument(knowledge, namespace, documentId, signal),
    [knowledge, namespace, documentId],
  );
  const { url } = value?.metadata ?? {};
  return (
    <Dialog
      title={value?.title ?? "Document"}
      onClose={onClose}
      about={value && <p className="muted small">{url ? <SafeLink href={url}>{url}</SafeLink> : value.source}</p>}
    >
      <div className="stack">
        {error && <Notice danger>{error.message}</Notice>}
        {!value && !error && <span className="skeleton" />}
        {value && <p className="document-text">{value.text.slice(0, length)}</p>}
        {value && value.text.length > length && (
          <Button small onClick={() => setLength(length + stepLength)}>
            Show more
          </Button>
        )}
      </div>
    </Dialog>
  );
}
