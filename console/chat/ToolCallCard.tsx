import type { ReactNode } from "react";
import type { ToolCall } from "../conversations/messages.ts";
import { Icon } from "../design/Icon.tsx";
import { prettyJson } from "../design/pretty-json.ts";

/** A tool call, folded: its name and what came of it in sight, arguments and result inside. */
export function ToolCallCard({
  call,
  outcome,
  children,
  open,
}: {
  call: ToolCall;
  outcome?: ReactNode;
  children?: ReactNode;
  open?: boolean;
}) {
  return (
    <details className="fold card tool-call" {...(open && { open })}>
      <summary>
        <Icon name="tool" />
        <code>{call.name || "…"}</code>
        {outcome && <span className="muted small truncate">{outcome}</span>}
        <Icon name="chevron" className="chevron" />
      </summary>
      <div className="tool-call-body stack">
        <p className="field-label">Arguments</p>
        <pre className="code">{prettyJson(call.args) || "none yet"}</pre>
        {children}
      </div>
    </details>
  );
}
