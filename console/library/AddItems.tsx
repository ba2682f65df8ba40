import type { ChangeEvent, ClipboardEvent, DragEvent, FormEvent } from "react";
import { useRef, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Icon } from "../design/Icon.tsx";
import { Notice } from "../design/Notice.tsx";
import type { DroppedFile, DroppedFiles } from "../uploads/dropped-files.ts";
import { describeLeftOut, readChosenFiles, readDroppedFiles } from "../uploads/dropped-files.ts";
import type { Item } from "../uploads/items.ts";
import { itemsOfFiles, itemsOfText } from "../uploads/items.ts";

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

/** Where files and folders are dropped or chosen. */
function DropZone({ namespace, onFiles }: { namespace: string; onFiles: (files: DroppedFile[]) => void }) {
  const [over, setOver] = useState(false);
  const [leftOut, setLeftOut] = useState<string>();
  const folder = useRef<HTMLInputElement>(null);
  const take = (found: DroppedFiles) => {
    setLeftOut(describeLeftOut(found));
    if (found.files.length > 0) onFiles(found.files);
  };
  const onDrag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === "dragover");
  };
  const onDrop = async (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(await readDroppedFiles(event.dataTransfer));
  };
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const found = readChosenFiles(event.target.files ?? []);
    const isCancelled = event.target.files?.length === 0;
    event.target.value = "";
    if (!isCancelled) take(found);
  };
  return (
    <div className="stack">
      <label
        className={over ? "drop-zone drop-zone-over" : "drop-zone"}
        onDragOver={onDrag}
        onDragLeave={onDrag}
        onDrop={onDrop}
      >
        <Icon name="upload" />
        <span>
          <strong>Drop files or folders here</strong>, or <span className="drop-zone-link">choose files</span>
        </span>
        <span className="muted small">PDF, Office, EPUB, HTML, CSV, Markdown and text, into “{namespace}”</span>
        <input type="file" multiple className="visually-hidden" aria-label="Choose files" onChange={onChange} />
      </label>
      <input ref={folder} type="file" hidden aria-label="Folder" onChange={onChange} {...{ webkitdirectory: "" }} />
      <Button icon="folder" onClick={() => folder.current?.click()}>
        Choose a folder
      </Button>
      <div role="status">{leftOut && <Notice>{leftOut}</Notice>}</div>
    </div>
  );
}
