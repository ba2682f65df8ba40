import type { Stage } from "./send-item.ts";
import type { Upload } from "./upload-queue.ts";

const badges: Record<Stage["name"], { text: string; look: string }> = {
  waiting: { text: "Waiting", look: "" },
  sending: { text: "Sending", look: "badge-accent" },
  indexing: { text: "Reading and indexing", look: "badge-accent" },
  saved: { text: "Saved", look: "badge-good" },
  skipped: { text: "Skipped", look: "badge-warning" },
  error: { text: "Error", look: "badge-danger" },
};

/** The part of the way that each stage stands for, 0…1; reading and indexing takes as long as it takes. */
function partOf(stage: Stage): number | undefined {
  if (stage.name === "waiting") return 0;
  if (stage.name === "sending") return stage.part;
  return undefined;
}

export function UploadRow({ upload: { name, stage } }: { upload: Upload }) {
  const { text, look } = badges[stage.name];
  const part = partOf(stage);
  const isRunning = part !== undefined || stage.name === "indexing";
  return (
    <li className="upload">
      <div className="row">
        <span className="upload-name truncate">{name}</span>
        <span className={`badge push ${look}`}>{text}</span>
      </div>
      {isRunning && <progress aria-label={`${text}: ${name}`} max={1} {...(part !== undefined && { value: part })} />}
      {stage.name === "saved" && (
        <p className="muted small">{stage.chunks === 1 ? "1 passage" : `${stage.chunks} passages`}</p>
      )}
      {"reason" in stage && <p className="muted small">{stage.reason}</p>}
    </li>
  );
}
