import { useId, useState } from "react";
import { Button } from "../design/Button.tsx";
import { Dialog } from "../design/Dialog.tsx";
import { Field } from "../design/Field.tsx";

/** Edits the tools that the model may call, as JSON. */
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
  const problem = typeof parsed === "string" ? parsed : undefined;
  const save = () => {
    if (typeof parsed === "string") return;
    onTools(parsed);
    onClose();
  };
  return (
    <Dialog
      title="Tools"
      onClose={onClose}
      about={
        <p className="muted small">The model may call these tools in this conversation. You enter their results.</p>
      }
    >
      <div className="stack">
        <Field label="Tools as JSON">
          <textarea
            className="input mono tools-json"
            rows={12}
            spellCheck={false}
            value={text}
            aria-invalid={problem !== undefined}
            aria-describedby={`${id}-problem`}
            onChange={(event) => setText(event.target.value)}
          />
        </Field>
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

/** Parses tools from JSON text. Returns a message if the text is invalid. */
function parseTools(text: string): object[] | string {
  if (text.trim() === "") return [];
  try {
    const value: unknown = JSON.parse(text);
    if (!Array.isArray(value)) return 'Write a JSON list of tools, such as [{ "name": … }].';
    const nameless = value.findIndex((tool) => typeof tool?.name !== "string" || tool.name === "");
    return nameless < 0 ? value : `Tool ${nameless + 1} has no name.`;
  } catch (error) {
    return `This is not JSON: ${(error as Error).message}`;
  }
}

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
