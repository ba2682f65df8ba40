import { hrefOf } from "../app/views.ts";
import { Button } from "../design/Button.tsx";
import { isSettled } from "../uploads/stages.ts";
import { UploadRow } from "../uploads/UploadRow.tsx";
import type { Upload } from "../uploads/upload-queue.ts";

/** What is on its way in, and what came of it. */
export function Uploads({
  uploads,
  onClear,
  onOpenNamespace,
}: {
  uploads: readonly Upload[];
  onClear: () => void;
  onOpenNamespace: (namespace: string) => void;
}) {
  if (uploads.length === 0) return null;
  const saved = uploads.find(({ stage }) => stage.name === "saved");
  const settled = uploads.filter(({ stage }) => isSettled(stage)).length;
  return (
    <section className="card uploads" aria-label="Uploads">
      <div className="row">
        <h2>Uploads</h2>
        <span className="muted small" role="status">
          {settled} of {uploads.length} done
        </span>
        <Button className="push" small look="quiet" disabled={settled === 0} onClick={onClear}>
          Clear
        </Button>
      </div>
      <ul>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} />
        ))}
      </ul>
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
