import { memo, useRef } from "react";
import { Button } from "../design/Button.tsx";
import { formatBytes, formatCount, withReadableSizes } from "../design/format.ts";
import type { Stage } from "./stages.ts";
import { canRetry, isSettled } from "./stages.ts";
import type { Upload, UploadQueue } from "./upload-queue.ts";

const badges: Record<Stage["name"], { text: string; look: string }> = {
  waiting: { text: "Waiting", look: "" },
  sending: { text: "Sending", look: "badge-accent" },
  queued: { text: "Queued", look: "badge-accent" },
  fetching: { text: "Fetching", look: "badge-accent" },
  extracting: { text: "Reading", look: "badge-accent" },
  chunking: { text: "Splitting into chunks", look: "badge-accent" },
  embedding: { text: "Embedding", look: "badge-accent" },
  storing: { text: "Storing", look: "badge-accent" },
  saved: { text: "Saved", look: "badge-good" },
  skipped: { text: "Skipped", look: "badge-warning" },
  error: { text: "Error", look: "badge-danger" },
  cancelled: { text: "Cancelled", look: "badge-warning" },
  "left-out": { text: "Left out", look: "badge-warning" },
};

/** The stages before the outcome, in order. Each is an equal part of the progress bar. */
const progressStages: Stage["name"][] = [
  "waiting",
  "sending",
  "fetching",
  "extracting",
  "chunking",
  "embedding",
  "storing",
];

/** Progress from 0 to 1. Undefined once the upload is settled, and while it waits at the service, which happens between any two stages. */
function getProgress(stage: Stage): number | undefined {
  const done = progressStages.indexOf(stage.name);
  return done < 0 ? undefined : (done + ("part" in stage ? stage.part : 0)) / progressStages.length;
}

export const UploadRow = memo(function UploadRow({
  upload: { id, name, size, stage },
  queue,
}: {
  upload: Upload;
  queue: UploadQueue;
}) {
  const row = useRef<HTMLLIElement>(null);
  const press = (action: () => void) => () => {
    // The pressed button disappears, so move the focus to the row.
    row.current?.focus();
    action();
  };
  const { text, look } = badges[stage.name];
  const progress = getProgress(stage);
  const about = [
    size !== undefined && formatBytes(size),
    stage.name === "embedding" && stage.part > 0 && `${Math.floor(stage.part * 100)}%`,
    stage.name === "saved" && formatCount(stage.chunks, "chunk"),
    "warning" in stage && stage.warning,
    "reason" in stage && withReadableSizes(stage.reason),
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
      {!isSettled(stage) && <progress aria-label={`${text}: ${name}`} max={1} value={progress} />}
      <div className="row">
        <p className="muted small upload-about">{about.filter(Boolean).join(" · ")}</p>
        {canRetry(stage) && (
          <Button small icon="retry" onClick={press(() => queue.retry(id))} aria-label={`Retry ${name}`}>
            Retry
          </Button>
        )}
        {!isSettled(stage) && (
          <Button look="quiet" small icon="close" onClick={press(() => queue.cancel(id))} aria-label={`Cancel ${name}`}>
            Cancel
          </Button>
        )}
      </div>
    </li>
  );
});
