import type { ClipboardEvent, DragEvent } from "react";
import { useState } from "react";

/** Handlers that take files which are dropped onto an element or pasted into it. */
export function useFileDrop(onFiles: ((files: File[]) => void) | undefined) {
  const [isOver, setIsOver] = useState(false);
  if (!onFiles) return { isOver: false, handlers: {} };
  const take = (event: DragEvent | ClipboardEvent, data: DataTransfer) => {
    if (data.files.length === 0) return;
    event.preventDefault();
    onFiles([...data.files]);
  };
  const onDrag = (event: DragEvent) => {
    if (!event.dataTransfer.types.includes("Files")) return;
    event.preventDefault();
    setIsOver(event.type === "dragover");
  };
  const onDrop = (event: DragEvent) => {
    setIsOver(false);
    take(event, event.dataTransfer);
  };
  const onPaste = (event: ClipboardEvent) => take(event, event.clipboardData);
  return { isOver, handlers: { onDragOver: onDrag, onDragLeave: onDrag, onDrop, onPaste } };
}
