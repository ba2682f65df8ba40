import type { FormEvent } from "react";
import { useEffect, useRef, useState } from "react";
import { useConnections } from "../connections/context.ts";
import { deleteNamespace } from "../connections/knowledge-api.ts";
import { Button } from "../design/Button.tsx";
import { Notice } from "../design/Notice.tsx";

/** Asks for a namespace's name before it is deleted, since nothing brings it back. */
export function DeleteNamespace({
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
