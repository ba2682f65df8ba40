import { useState } from "react";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { Field } from "../design/Field.tsx";
import { maxTitleLength } from "./conversation.ts";
import type { ConversationStore } from "./conversation-store.ts";

/** Names a conversation. A blank name restores the title made from the first question. */
export function RenameDialog({ store, id, onClose }: { store: ConversationStore; id: string; onClose: () => void }) {
  const [name, setName] = useState(() => store.snapshot().all.find((summary) => summary.id === id)?.title ?? "");
  return (
    <Dialog title="Rename chat" onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          void store.rename(id, name);
          onClose();
        }}
      >
        <Field label="Name">
          <input
            className="input"
            data-autofocus
            maxLength={maxTitleLength}
            placeholder="As its first question"
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
        </Field>
        <div className="row">
          <Button type="submit" look="primary">
            Rename
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </form>
    </Dialog>
  );
}
