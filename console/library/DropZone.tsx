import type { ChangeEvent, DragEvent } from "react";
import { useRef, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Icon } from "../design/Icon.tsx";
import { Notice } from "../design/Notice.tsx";
import type { DroppedFile, DroppedFiles } from "../uploads/dropped-files.ts";
import { describeLeftOut, readChosenFiles, readDroppedFiles } from "../uploads/dropped-files.ts";

/** Where files and folders are dropped or chosen. */
export function DropZone({ namespace, onFiles }: { namespace: string; onFiles: (files: DroppedFile[]) => void }) {
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
