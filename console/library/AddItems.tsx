import type { ClipboardEvent, FormEvent } from "react";
import { useState } from "react";
import { Button } from "../design/Button.tsx";
import { readChosenFiles } from "../uploads/dropped-files.ts";
import type { Item } from "../uploads/pasted.ts";
import { itemsOfFiles, itemsOfText } from "../uploads/pasted.ts";
import { DropZone } from "./DropZone.tsx";

/** Takes in files by drag and drop, by choice or from the clipboard, and texts and addresses that are pasted. */
export function AddItems({ namespace, onItems }: { namespace: string; onItems: (items: Item[]) => void }) {
  const [text, setText] = useState("");
  const [title, setTitle] = useState("");
  const items = itemsOfText(text, title);
  const areAddresses = items[0]?.kind === "source" && items[0].source.type === "url";
  const add = (event: FormEvent) => {
    event.preventDefault();
    onItems(items);
    setText("");
    setTitle("");
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    onItems(itemsOfFiles(readChosenFiles(event.clipboardData.files).files));
  };
  return (
    <section className="card add-items stack" aria-label="Add documents" onPaste={onPaste}>
      <DropZone namespace={namespace} onFiles={(files) => onItems(itemsOfFiles(files))} />
      <form className="stack" onSubmit={add}>
        <label className="field">
          <span className="field-label">Or paste text, Markdown or addresses</span>
          <textarea
            className="input"
            rows={4}
            placeholder={"A text, or web addresses, one on each line"}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        {items.length > 0 && !areAddresses && (
          <label className="field">
            <span className="field-label">Title</span>
            <input
              className="input"
              placeholder={items[0]?.name}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          </label>
        )}
        <Button type="submit" look="primary" disabled={items.length === 0}>
          {areAddresses ? (items.length === 1 ? "Add address" : `Add ${items.length} addresses`) : "Add text"}
        </Button>
      </form>
    </section>
  );
}
