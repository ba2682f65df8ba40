import type { NamespacesResponse } from "@agent-backends/contract";
import type { FormEvent } from "react";
import { useEffect, useId, useRef, useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { deleteNamespace, maxNamespacesShown } from "../connections/knowledge-api.ts";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { formatCount } from "../design/format.ts";
import { Notice } from "../design/Notice.tsx";
import { findNameProblem } from "./namespaces.ts";

/** The namespaces there are: to choose one, begin a new one, or delete one with all it holds. */
export function NamespacesDialog({
  current,
  namespaces,
  onChoose,
  onDeleted,
  onClose,
}: {
  current: string;
  namespaces: NamespacesResponse["namespaces"];
  onChoose: (namespace: string) => void;
  onDeleted: (namespace: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const [deleting, setDeleting] = useState<string>();
  const nameField = useRef<HTMLInputElement>(null);
  const problemId = useId();
  const create = (event: FormEvent) => {
    event.preventDefault();
    const found = findNameProblem(name.trim());
    setProblem(found);
    if (!found) onChoose(name.trim());
  };
  return (
    <Dialog
      title="Namespaces"
      about={<p className="muted small">Each keeps its documents apart from those of the others.</p>}
      onClose={onClose}
    >
      <div className="stack">
        <form className="field" onSubmit={create} noValidate>
          <label className="field-label" htmlFor={`${problemId}-name`}>
            New namespace
          </label>
          <div className="row new-namespace">
            <input
              ref={nameField}
              id={`${problemId}-name`}
              className="input"
              data-autofocus
              autoComplete="off"
              spellCheck={false}
              placeholder="A customer, a team, a project"
              value={name}
              aria-invalid={problem !== undefined}
              aria-describedby={problemId}
              onChange={(event) => {
                setName(event.target.value);
                setProblem(undefined);
              }}
            />
            <Button type="submit" icon="plus">
              Create
            </Button>
          </div>
          <p id={problemId} className="field-problem small" role="alert">
            {problem}
          </p>
        </form>
        {namespaces.length === 0 ? (
          <p className="muted">No namespace holds documents yet.</p>
        ) : (
          <ul className="namespaces" aria-label="Namespaces">
            {namespaces.map((namespace) => (
              <NamespaceRow
                key={namespace.namespace}
                namespace={namespace}
                isCurrent={namespace.namespace === current}
                isDeleting={namespace.namespace === deleting}
                onChoose={() => onChoose(namespace.namespace)}
                onAskDelete={() => setDeleting(namespace.namespace)}
                onKeep={() => setDeleting(undefined)}
                onDeleted={() => {
                  nameField.current?.focus();
                  setDeleting(undefined);
                  onDeleted(namespace.namespace);
                }}
              />
            ))}
          </ul>
        )}
        {namespaces.length === maxNamespacesShown && (
          <p className="muted small">
            The first {maxNamespacesShown} are shown. Reach any other by typing its name in the field “Namespace”.
          </p>
        )}
      </div>
    </Dialog>
  );
}

function NamespaceRow({
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

/** Asks for a namespace's name before it is deleted, since nothing brings it back. */
function DeleteNamespace({
  name,
  content,
  onKeep,
  onDeleted,
}: {
  name: string;
  /** What is lost, in words. */
  content: string;
  onKeep: () => void;
  onDeleted: () => void;
}) {
  const { knowledge } = useConnections().connections;
  const [typed, setTyped] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const remove = (event: FormEvent) => {
    event.preventDefault();
    if (typed.trim() !== name.trim()) return;
    setBusy(true);
    deleteNamespace(knowledge, name).then(onDeleted, (reason: Error) => {
      setBusy(false);
      setFailure(reason.message);
    });
  };
  return (
    <form className="delete-namespace stack" aria-label={`Delete ${name}`} onSubmit={remove}>
      <p>
        Deletes {content} for everyone who uses “{name}”. This can’t be undone.
      </p>
      <label className="field">
        <span className="field-label">Type “{name}” to confirm</span>
        <input
          ref={field}
          className="input"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </label>
      {failure && <Notice danger>{failure}</Notice>}
      <div className="row">
        <Button type="submit" look="danger" disabled={busy || typed.trim() !== name.trim()}>
          Delete the namespace
        </Button>
        <Button onClick={onKeep}>Keep it</Button>
      </div>
    </form>
  );
}
