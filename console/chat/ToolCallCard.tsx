import type { ReactNode } from "react";
import type { ToolCall } from "../conversations/messages.ts";
import { Icon } from "../design/Icon.tsx";
import { Code, Fold } from "../design/Layout.tsx";
import { prettyJson } from "../json.ts";

/** A collapsed tool call: its name and outcome, with the arguments and the result inside. */
export function ToolCallCard({
  call,
  outcome,
  children,
  open = false,
}: {
  call: ToolCall;
  outcome: string;
  children?: ReactNode;
  open?: boolean;
}) {
  return (
    <Fold
      className="card tool-call"
      {...(open && { open })}
      summary={
        <>
          <Icon name="tool" />
          <code>{call.name || "…"}</code>
          <span className="muted small truncate">{outcome}</span>
        </>
      }
    >
      <div className="tool-call-body stack">
        <p className="field-label">Arguments</p>
        <Code>{prettyJson(call.args) || "none yet"}</Code>
        {children}
      </div>
    </Fold>
  );
}
