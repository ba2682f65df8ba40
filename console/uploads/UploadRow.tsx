import { memo, useRef } from "react";
import { Button } from "../design/Button.tsx";
import { formatBytes, formatCount, readableSizes } from "../design/format.ts";
import type { Stage } from "./stages.ts";
import { canRetry, isSettled } from "./stages.ts";
import type { Upload } from "./upload-queue.ts";

const badges: Record<Stage["name"], { text: string; look: string }> = {
  waiting: { text: "Waiting", look: "" },
  sending: { text: "Sending", look: "badge-accent" },
  queued: { text: "Queued", look: "badge-accent" },
  reading: { text: "Reading", look: "badge-accent" },
  chunking: { text: "Cutting into chunks", look: "badge-accent" },
  embedding: { text: "Embedding", look: "badge-accent" },
  storing: { text: "Storing", look: "badge-accent" },
  saved: { text: "Saved", look: "badge-good" },
  skipped: { text: "Skipped", look: "badge-warning" },
  error: { text: "Error", look: "badge-danger" },
  cancelled: { text: "Cancelled", look: "badge-warning" },
  "left-out": { text: "Left out", look: "badge-warning" },
};

/** The stages of an item on its way, in their order: each stands for an equal part of it. */
const way: Stage["name"][] = ["waiting", "sending", "queued", "reading", "chunking", "embedding", "storing"];

/** How much of its way an item has behind it, 0…1; `undefined` once it has its outcome. */
function partOf(stage: Stage): number | undefined {
  const done = way.indexOf(stage.name);
  return done < 0 ? undefined : (done + (stage.name === "sending" ? stage.part : 0)) / way.length;
}

export const UploadRow = memo(function UploadRow({
  upload: { id, name, size, stage },
  onRetry,
  onCancel,
}: {
  upload: Upload;
  onRetry: (id: string) => void;
  onCancel: (id: string) => void;
}) {
  const row = useRef<HTMLLIElement>(null);
  const press = (action: (id: string) => void) => () => {
    // The button goes; whoever pressed it by keyboard stays at the upload.
    row.current?.focus();
    action(id);
  };
  const { text, look } = badges[stage.name];
  const part = partOf(stage);
  const about = [
    size !== undefined && formatBytes(size),
    stage.name === "saved" && formatCount(stage.chunks, "chunk"),
    "reason" in stage && readableSizes(stage.reason),
  ];
  const [folders = "", file = name] = /^(.*\/)([^/]+)$/.exec(name)?.slice(1) ?? [];
  return (
    <li className="upload" ref={row} tabIndex={-1}>
      <div className="row">
        <span className="upload-name" title={name}>
          {folders && <span className="muted truncate">{folders}</span>}
          <span className="truncate">{file}</span>
        </span>
        <span className={`badge push ${look}`}>{text}</span>
      </div>
      {part !== undefined && <progress aria-label={`${text}: ${name}`} max={1} value={part} />}
      <div className="row">
        <p className="muted small upload-about">{about.filter(Boolean).join(" · ")}</p>
        {canRetry(stage) && (
          <Button small icon="retry" onClick={press(onRetry)} aria-label={`Retry ${name}`}>
            Retry
          </Button>
        )}
        {!isSettled(stage) && (
          <Button look="quiet" small icon="close" onClick={press(onCancel)} aria-label={`Cancel ${name}`}>
            Cancel
          </Button>
        )}
      </div>
    </li>
  );
});
