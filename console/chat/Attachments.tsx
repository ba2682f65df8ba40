import { Button } from "../design/Button.tsx";
import { isSettled } from "../uploads/stages.ts";
import { UploadRow } from "../uploads/UploadRow.tsx";
import type { Upload } from "../uploads/upload-queue.ts";

/** The files that the next question is about, on their way into the conversation's namespace. */
export function Attachments({
  uploads,
  onRetry,
  onCancel,
  onClear,
}: {
  uploads: readonly Upload[];
  onRetry: (id: string) => void;
  onCancel: (id: string) => void;
  onClear: () => void;
}) {
  const [first] = uploads;
  if (!first) return null;
  return (
    <section className="attachments card" aria-label="Attached files">
      <div className="row small">
        <span className="muted">Stored in “{first.namespace}”</span>
        <Button
          className="push"
          look="quiet"
          small
          icon="close"
          iconOnly
          title="Hide what is done"
          disabled={!uploads.some(({ stage }) => isSettled(stage))}
          onClick={onClear}
        >
          Hide what is done
        </Button>
      </div>
      <ul>
        {uploads.map((upload) => (
          <UploadRow key={upload.id} upload={upload} onRetry={onRetry} onCancel={onCancel} />
        ))}
      </ul>
    </section>
  );
}
