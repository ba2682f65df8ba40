import type { DragEvent } from "react";
import { useState } from "react";
import { Icon } from "../design/Icon.tsx";

/** Where files are dropped or chosen. */
export function DropZone({ namespace, onFiles }: { namespace: string; onFiles: (files: File[]) => void }) {
  const [over, setOver] = useState(false);
  const onDrag = (event: DragEvent) => {
    event.preventDefault();
    setOver(event.type === "dragover");
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const files = [...event.dataTransfer.files];
    if (files.length > 0) onFiles(files);
  };
  return (
    <label
      className={over ? "drop-zone drop-zone-over" : "drop-zone"}
      onDragOver={onDrag}
      onDragLeave={onDrag}
      onDrop={onDrop}
    >
      <Icon name="upload" />
      <span>
        <strong>Drop files here</strong>, or <span className="drop-zone-link">choose files</span>
      </span>
      <span className="muted small">PDF, Word, HTML, Markdown and text, into “{namespace}”</span>
      <input
        type="file"
        multiple
        className="visually-hidden"
        aria-label="Choose files"
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = "";
          if (files.length > 0) onFiles(files);
        }}
      />
    </label>
  );
}
