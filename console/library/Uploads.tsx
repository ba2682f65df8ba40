import { useRef } from "react";
import { Button } from "../design/Button.tsx";
import { formatCount } from "../design/format.ts";
import { Code, Fold } from "../design/Layout.tsx";
import { hrefTo } from "../routes.ts";
import { useStore } from "../store.ts";
import type { Stage } from "../uploads/stages.ts";
import { isSettled } from "../uploads/stages.ts";
import { UploadRow } from "../uploads/UploadRow.tsx";
import type { Upload, UploadQueue } from "../uploads/upload-queue.ts";

/** Maximum number of uploads shown. A list of thousands would slow down the page. */
const maxRows = 100;

/** Order in a long list: failed uploads first, then running, waiting and settled ones. */
function getRank({ stage }: Upload): number {
  if (stage.name === "error") return 0;
  if (stage.name === "waiting") return 2;
  return isSettled(stage) ? 3 : 1;
}

/** The uploads of this tab with their progress and outcomes. */
export function Uploads({
  queue,
  onOpenNamespace,
}: {
  queue: UploadQueue;
  onOpenNamespace: (namespace: string) => void;
}) {
  const all = useStore(queue);
  const section = useRef<HTMLElement>(null);
  const pressForAll = (action: () => void) => () => {
    // The pressed button disappears, so move the focus to the section.
    section.current?.focus();
    action();
  };
  if (all.length === 0) return null;
  const uploads = all.filter(({ stage }) => stage.name !== "left-out");
  const leftOut = all.filter(({ stage }) => stage.name === "left-out");
  const countInStage = (name: Stage["name"]) => uploads.filter(({ stage }) => stage.name === name).length;
  const saved = uploads.find(({ stage }) => stage.name === "saved");
  const settledCount = uploads.filter(({ stage }) => isSettled(stage)).length;
  const failedCount = countInStage("error");
  const summary = [
    `${countInStage("saved")} of ${uploads.length} saved`,
    countInStage("skipped") > 0 && `${countInStage("skipped")} skipped`,
    failedCount > 0 && `${failedCount} failed`,
    countInStage("cancelled") > 0 && `${countInStage("cancelled")} cancelled`,
  ];
  const isLong = uploads.length > maxRows;
  const shown = isLong ? uploads.toSorted((a, b) => getRank(a) - getRank(b)).slice(0, maxRows) : uploads;
  return (
    <section className="card card-body stack" aria-label="Uploads" ref={section} tabIndex={-1}>
      <div className="row">
        <h2>Uploads</h2>
        <span className="muted small" role="status">
          {summary.filter(Boolean).join(", ")}
        </span>
        <div className="row push">
          {failedCount > 1 && (
            <Button small icon="retry" onClick={pressForAll(() => queue.retry())}>
              Retry all failed
            </Button>
          )}
          {uploads.length - settledCount > 1 && (
            <Button small icon="close" onClick={pressForAll(() => queue.cancel())}>
              Cancel all
            </Button>
          )}
          <Button small look="quiet" disabled={settledCount + leftOut.length === 0} onClick={() => queue.clear()}>
            Clear
          </Button>
        </div>
      </div>
      {isLong && <progress aria-label="All uploads" max={uploads.length} value={settledCount} />}
      <ul>
        {shown.map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} />
        ))}
      </ul>
      {isLong && <p className="muted small">{formatCount(uploads.length - maxRows, "more upload")} not shown.</p>}
      {leftOut.length > 0 && (
        <Fold
          className="left-out"
          summary={
            leftOut.length === 1
              ? "1 file of an unsupported type was left out"
              : `${leftOut.length.toLocaleString("en")} files of unsupported types were left out`
          }
        >
          <Code>{leftOut.map(({ name }) => name).join("\n")}</Code>
        </Fold>
      )}
      {saved && (
        <a
          className="button button-primary"
          href={hrefTo("knowledge")}
          onClick={() => onOpenNamespace(saved.namespace)}
        >
          Ask about it
        </a>
      )}
    </section>
  );
}
