import type { NamespacesResponse } from "@agent-backends/contract";
import { useRef } from "react";
import { Button } from "../design/Button.tsx";
import { formatCount } from "../design/format-count.ts";
import { DeleteNamespace } from "./DeleteNamespace.tsx";

export function NamespaceRow({
  namespace: { namespace: name, documents, chunks },
  isCurrent,
  isDeleting,
  onChoose,
  onAskDelete,
  onKeep,
  onDeleted,
}: {
  namespace: NamespacesResponse["namespaces"][number];
  isCurrent: boolean;
  isDeleting: boolean;
  onChoose: () => void;
  onAskDelete: () => void;
  onKeep: () => void;
  onDeleted: () => void;
}) {
  const ask = useRef<HTMLButtonElement>(null);
  const keep = () => {
    ask.current?.focus();
    onKeep();
  };
  const content = `${formatCount(documents, "document")} with ${formatCount(chunks, "chunk")}`;
  return (
    <li>
      <div className="document-row">
        <button type="button" className="document-open" aria-current={isCurrent || undefined} onClick={onChoose}>
          <span className="document-title">
            {name}
            {isCurrent && <span className="badge badge-accent">Selected</span>}
          </span>
          <span className="muted small">{content}</span>
        </button>
        <Button
          ref={ask}
          look="quiet"
          icon="trash"
          iconOnly
          title={`Delete ${name}`}
          aria-expanded={isDeleting}
          onClick={isDeleting ? onKeep : onAskDelete}
        >
          {`Delete ${name}`}
        </Button>
      </div>
      {isDeleting && <DeleteNamespace name={name} content={content} onKeep={keep} onDeleted={onDeleted} />}
    </li>
  );
}
