import { useId, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { parseTools, sampleTools } from "./tools.ts";

/** The tools that the model may call, as JSON. */
export function ToolsDialog({
  tools,
  onTools,
  onClose,
}: {
  tools: readonly object[];
  onTools: (tools: object[]) => void;
  onClose: () => void;
}) {
  const id = useId();
  const [text, setText] = useState(tools.length > 0 ? JSON.stringify(tools, null, 2) : "");
  const parsed = parseTools(text);
  const problem = "problem" in parsed ? parsed.problem : undefined;
  const save = () => {
    if (!("tools" in parsed)) return;
    onTools(parsed.tools);
    onClose();
  };
  return (
    <Dialog
      title="Tools"
      onClose={onClose}
      about={<p className="muted small">What the model may call in this conversation. You play the tool.</p>}
    >
      <div className="stack">
        <label className="field">
          <span className="field-label">Tools as JSON</span>
          <textarea
            className="input mono tools-json"
            rows={12}
            spellCheck={false}
            value={text}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-problem`}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <p id={`${id}-problem`} className="field-problem small" role="status">
          {problem}
        </p>
        <div className="row">
          <Button look="primary" disabled={problem !== undefined} onClick={save}>
            Use these tools
          </Button>
          <Button onClick={() => setText(sampleTools)}>Insert a sample</Button>
        </div>
      </div>
    </Dialog>
  );
}
