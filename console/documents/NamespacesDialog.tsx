import type { FormEvent } from "react";
import { useEffect, useId, useRef, useState } from "react";
import { useConnections } from "../connections/ConnectionsProvider.tsx";
import { explainError, knowledgeAt } from "../connections/clients.ts";
import { Button, IconButton } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { Field } from "../design/Field.tsx";
import { formatCount } from "../design/format.ts";
import { Notice } from "../design/Notice.tsx";
import type { NamespaceSummary } from "./namespaces.ts";
import { findNameProblem, maxListedNamespaces } from "./namespaces.ts";

/** Lists the namespaces, to select, create and delete them. */
export function NamespacesDialog({
  current,
  namespaces,
  onChoose,
  onDeleted,
  onClose,
}: {
  current: string;
  namespaces: readonly NamespaceSummary[];
  onChoose: (namespace: string) => void;
  onDeleted: (namespace: string) => void;
  onClose: () => void;
}) {
  const [name, setName] = useState("");
  const [problem, setProblem] = useState<string>();
  const [deleting, setDeleting] = useState<string>();
  const nameField = useRef<HTMLInputElement>(null);
  const id = useId();
  const create = (event: FormEvent) => {
    event.preventDefault();
    const found = findNameProblem(name.trim());
    setProblem(found);
    if (!found) onChoose(name.trim());
  };
  return (
    <Dialog
      title="Namespaces"
      about={<p className="muted small">The documents of each namespace are separate from those of the others.</p>}
      onClose={onClose}
    >
      <div className="stack">
        <form className="field" onSubmit={create} noValidate>
          <label className="field-label" htmlFor={`${id}-name`}>
            New namespace
          </label>
          <div className="row nowrap">
            <input
              ref={nameField}
              id={`${id}-name`}
              className="input"
              data-autofocus
              autoComplete="off"
              spellCheck={false}
              placeholder="A customer, a team, a project"
              value={name}
              aria-invalid={problem !== undefined}
              aria-describedby={`${id}-problem`}
              onChange={(event) => {
                setName(event.target.value);
                setProblem(undefined);
              }}
            />
            <Button type="submit" icon="plus">
              Create
            </Button>
          </div>
          <p id={`${id}-problem`} className="field-problem small" role="alert">
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
                onDeleting={(isDeleting) => setDeleting(isDeleting ? namespace.namespace : undefined)}
                onDeleted={() => {
                  nameField.current?.focus();
                  setDeleting(undefined);
                  onDeleted(namespace.namespace);
                }}
              />
            ))}
          </ul>
        )}
        {namespaces.length === maxListedNamespaces && (
          <p className="muted small">
            The first {maxListedNamespaces} are shown. For another one, type its name in the field “Namespace”.
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
  onDeleting,
  onDeleted,
}: {
  namespace: NamespaceSummary;
  isCurrent: boolean;
  /** Whether the deletion is waiting for confirmation. */
  isDeleting: boolean;
  onChoose: () => void;
  onDeleting: (isDeleting: boolean) => void;
  onDeleted: () => void;
}) {
  const deleteButton = useRef<HTMLButtonElement>(null);
  const keep = () => {
    deleteButton.current?.focus();
    onDeleting(false);
  };
  const content = `${formatCount(documents, "document")} with ${formatCount(chunks, "chunk")}`;
  return (
    <li>
      <div className="row nowrap document-row">
        <button
          type="button"
          className="bare-button document-open"
          aria-current={isCurrent || undefined}
          onClick={onChoose}
        >
          <span className="document-title">
            {name}
            {isCurrent && <span className="badge badge-accent">Selected</span>}
          </span>
          <span className="muted small">{content}</span>
        </button>
        <IconButton
          ref={deleteButton}
          small={false}
          icon="trash"
          label={`Delete ${name}`}
          aria-expanded={isDeleting}
          onClick={() => onDeleting(!isDeleting)}
        />
      </div>
      {isDeleting && <DeleteForm name={name} content={content} onKeep={keep} onDeleted={onDeleted} />}
    </li>
  );
}

/** Deletes a namespace after the user has typed its name. There is no undo. */
function DeleteForm({
  name,
  content,
  onKeep,
  onDeleted,
}: {
  name: string;
  /** Describes to the user what would be lost. */
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
  const isConfirmed = typed.trim() === name.trim();
  const remove = (event: FormEvent) => {
    event.preventDefault();
    if (!isConfirmed) return;
    setBusy(true);
    const deletion = knowledgeAt(knowledge).deleteNamespace(name);
    deletion.then(onDeleted, (reason: unknown) => {
      setBusy(false);
      setFailure(explainError(reason).message);
    });
  };
  return (
    <form className="delete-namespace stack" aria-label={`Delete ${name}`} onSubmit={remove}>
      <p>
        Deletes {content} for everyone who uses “{name}”. This can’t be undone.
      </p>
      <Field label={`Type “${name}” to confirm`}>
        <input
          ref={field}
          className="input"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.target.value)}
        />
      </Field>
      {failure && <Notice danger>{failure}</Notice>}
      <div className="row">
        <Button type="submit" look="danger" disabled={busy || !isConfirmed}>
          Delete the namespace
        </Button>
        <Button onClick={onKeep}>Keep it</Button>
      </div>
    </form>
  );
}
