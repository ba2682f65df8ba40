import type { NamespacesResponse } from "@agent-backends/contract";
import type { FormEvent } from "react";
import { useId, useRef, useState } from "react";
import { maxNamespacesShown } from "../connections/knowledge-api.ts";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { NamespaceRow } from "./NamespaceRow.tsx";
import { findNameProblem } from "./namespace-name.ts";

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
