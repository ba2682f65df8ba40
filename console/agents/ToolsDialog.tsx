import { useId, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";

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

/** A tool to begin with. */
const sampleTools = `[
  {
    "name": "get_weather",
    "description": "The weather of a city",
    "parameters": {
      "type": "object",
      "properties": { "city": { "type": "string" } },
      "required": ["city"]
    }
  }
]`;

/** Reads a list of tools from JSON text, or says what is wrong with it. Blank text is an empty list. */
function parseTools(text: string): { tools: object[] } | { problem: string } {
  if (text.trim() === "") return { tools: [] };
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return { problem: 'Write a JSON list of tools, such as [{ "name": … }].' };
    const nameless = value.findIndex((tool) => typeof tool?.name !== "string" || tool.name === "");
    if (nameless >= 0) return { problem: `Tool ${nameless + 1} has no name.` };
    return { tools: value };
  } catch (error) {
    return { problem: `This is not JSON: ${(error as Error).message}` };
  }
}
