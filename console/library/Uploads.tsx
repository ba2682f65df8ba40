import { useCallback, useRef } from "react";
import { Button } from "../design/Button.tsx";
import { formatCount } from "../design/format.ts";
import { Icon } from "../design/Icon.tsx";
import { hrefOf } from "../routes.ts";
import type { Stage } from "../uploads/stages.ts";
import { isSettled } from "../uploads/stages.ts";
import { UploadRow } from "../uploads/UploadRow.tsx";
import type { Upload, UploadQueue } from "../uploads/upload-queue.ts";

/** Uploads shown at a time: a list of thousands would slow the page down. */
const maxRows = 100;

/** What wants the user's eye comes first: what failed, then what is on its way. */
const rankOf = ({ stage }: Upload) =>
  stage.name === "error" ? 0 : stage.name === "waiting" ? 2 : isSettled(stage) ? 3 : 1;

/** What is on its way in, and what came of it. */
export function Uploads({
  uploads: all,
  queue,
  onOpenNamespace,
}: {
  uploads: readonly Upload[];
  queue: UploadQueue;
  onOpenNamespace: (namespace: string) => void;
}) {
  const section = useRef<HTMLElement>(null);
  const pressForAll = (action: () => void) => () => {
    // The button goes.
    section.current?.focus();
    action();
  };
  const onRetry = useCallback((id: string) => queue.retry(id), [queue]);
  const onCancel = useCallback((id: string) => queue.cancel(id), [queue]);
  if (all.length === 0) return null;
  const uploads = all.filter(({ stage }) => stage.name !== "left-out");
  const leftOut = all.filter(({ stage }) => stage.name === "left-out");
  const countOf = (name: Stage["name"]) => uploads.filter(({ stage }) => stage.name === name).length;
  const saved = uploads.find(({ stage }) => stage.name === "saved");
  const settled = uploads.filter(({ stage }) => isSettled(stage)).length;
  const failed = countOf("error");
  const unsaved = [
    { count: countOf("skipped"), outcome: "skipped" },
    { count: failed, outcome: "failed" },
    { count: countOf("cancelled"), outcome: "cancelled" },
  ].filter(({ count }) => count > 0);
  const summary = [
    `${countOf("saved")} of ${uploads.length} saved`,
    ...unsaved.map(({ count, outcome }) => `${count} ${outcome}`),
  ].join(", ");
  const isLong = uploads.length > maxRows;
  const shown = isLong ? uploads.toSorted((a, b) => rankOf(a) - rankOf(b)).slice(0, maxRows) : uploads;
  return (
    <section className="card uploads" aria-label="Uploads" ref={section} tabIndex={-1}>
      <div className="row">
        <h2>Uploads</h2>
        <span className="muted small" role="status">
          {summary}
        </span>
        <div className="row push">
          {failed > 1 && (
            <Button small icon="retry" onClick={pressForAll(() => queue.retry())}>
              Retry all failed
            </Button>
          )}
          {uploads.length - settled > 1 && (
            <Button small icon="close" onClick={pressForAll(() => queue.cancel())}>
              Cancel all
            </Button>
          )}
          <Button small look="quiet" disabled={settled + leftOut.length === 0} onClick={() => queue.clear()}>
            Clear
          </Button>
        </div>
      </div>
      {isLong && <progress aria-label="All uploads" max={uploads.length} value={settled} />}
      <ul>
        {shown.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onRetry={onRetry} onCancel={onCancel} />
        ))}
      </ul>
      {isLong && <p className="muted small">{formatCount(uploads.length - maxRows, "more upload")} not shown.</p>}
      {leftOut.length > 0 && <LeftOut names={leftOut.map(({ name }) => name)} />}
      {saved && (
        <a
          className="button button-primary"
          href={hrefOf("knowledge")}
          onClick={() => onOpenNamespace(saved.namespace)}
        >
          Ask about it
        </a>
      )}
    </section>
  );
}

/** How many files of a folder were left out because they hold no text, and on demand which. */
function LeftOut({ names }: { names: string[] }) {
  return (
    <details className="fold left-out">
      <summary className="muted small">
        {names.length === 1
          ? "1 file of another kind was"
          : `${names.length.toLocaleString("en")} files of other kinds were`}{" "}
        left out
        <Icon name="chevron" className="chevron" />
      </summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <pre className="code" tabIndex={0}>
        {names.join("\n")}
      </pre>
    </details>
  );
}
