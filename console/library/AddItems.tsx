import type { ChangeEvent, ClipboardEvent, DragEvent, FormEvent } from "react";
import { useRef, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Field } from "../design/Field.tsx";
import { Icon } from "../design/Icon.tsx";
import { Notice } from "../design/Notice.tsx";
import type { DroppedFile, DroppedFiles } from "../uploads/dropped-files.ts";
import { describeLeftOut, readChosenFiles, readDroppedFiles } from "../uploads/dropped-files.ts";
import type { Item } from "../uploads/items.ts";

/** Adds files by drag and drop, from a file dialog or from the clipboard, as well as pasted texts and addresses. */
export function AddItems({ namespace, onItems }: { namespace: string; onItems: (items: Item[]) => void }) {
  const [text, setText] = useState("");
  const [title, setTitle] = useState("");
  const items = parsePastedText(text, title);
  const areAddresses = items[0]?.kind === "source" && items[0].source.type === "url";
  const addresses = items.length === 1 ? "Add address" : `Add ${items.length} addresses`;
  const add = (event: FormEvent) => {
    event.preventDefault();
    onItems(items);
    setText("");
    setTitle("");
  };
  const onPaste = (event: ClipboardEvent) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    onItems(toItems(readChosenFiles(event.clipboardData.files).files));
  };
  return (
    <section className="card card-body stack add-items" aria-label="Add documents" onPaste={onPaste}>
      <DropZone namespace={namespace} onFiles={(files) => onItems(toItems(files))} />
      <form className="stack" onSubmit={add}>
        <Field label="Or paste text, Markdown or addresses">
          <textarea
            className="input"
            rows={4}
            placeholder={"A text, or web addresses, one on each line"}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
        {items.length > 0 && !areAddresses && (
          <Field label="Title">
            <input
              className="input"
              placeholder={items[0]?.name}
              value={title}
              onChange={(event) => setTitle(event.target.value)}
            />
          </Field>
        )}
        <Button type="submit" look="primary" disabled={items.length === 0}>
          {areAddresses ? addresses : "Add text"}
        </Button>
      </form>
    </section>
  );
}

/** Takes dropped and chosen files and folders. */
function DropZone({ namespace, onFiles }: { namespace: string; onFiles: (files: DroppedFile[]) => void }) {
  const [isOver, setIsOver] = useState(false);
  const [leftOut, setLeftOut] = useState<string>();
  const folder = useRef<HTMLInputElement>(null);
  const take = (found: DroppedFiles) => {
    setLeftOut(describeLeftOut(found));
    if (found.files.length > 0) onFiles(found.files);
  };
  const onDrag = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(event.type === "dragover");
  };
  const onDrop = async (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    take(await readDroppedFiles(event.dataTransfer));
  };
  const onChange = (event: ChangeEvent<HTMLInputElement>) => {
    const found = readChosenFiles(event.target.files ?? []);
    const isCancelled = event.target.files?.length === 0;
    // Reset the value, so that choosing the same file again is also a change.
    event.target.value = "";
    if (!isCancelled) take(found);
  };
  return (
    <div className="stack">
      <label
        className={isOver ? "drop-zone drop-zone-over" : "drop-zone"}
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

const address = /^https?:\/\/\S+$/i;
const markdownSign = /^(#{1,6} |[-*] |\d+\. |```|\|.*\|)/m;
const maxNameLength = 60;

/** Parses pasted text: one address per line if every line is an address, or else a single text. */
export function parsePastedText(text: string, title = ""): Item[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines.length === 0) return [];
  if (lines.every((line) => address.test(line))) {
    return lines.map((value) => ({ kind: "source", name: value, source: { type: "url", value } }));
  }
  const firstLine = (lines[0] ?? "").replace(/^#+\s*/, "");
  const shortLine = firstLine.length > maxNameLength ? `${firstLine.slice(0, maxNameLength)}…` : firstLine;
  const name = title.trim() || shortLine;
  const type = markdownSign.test(text) ? "markdown" : "text";
  return [{ kind: "source", name, source: { type, value: text, title: name } }];
}

const toItems = (files: readonly DroppedFile[]): Item[] =>
  files.map(({ path, file }) => ({ kind: "file", name: path, file }));
