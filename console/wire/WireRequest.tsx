import { useState } from "react";
import { CopyButton } from "../design/CopyButton.tsx";
import type { StreamRequest } from "../stream/open-stream.ts";

/** What was sent: first its line, and all of its body once it is opened. */
export function WireRequest({ request: { url, body } }: { request: StreamRequest }) {
  const [open, setOpen] = useState(false);
  const whole = () => JSON.stringify(body, null, 2);
  return (
    <section className="wire-row wire-request" aria-label="Request">
      <button type="button" className="wire-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="wire-label">POST {new URL(url).pathname}</span>
        <span />
        <span className="wire-time">request</span>
        {!open && <code className="wire-raw">{JSON.stringify(body)}</code>}
      </button>
      {open && (
        <div className="wire-open">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <pre className="code" tabIndex={0}>
            {whole()}
          </pre>
          <CopyButton iconOnly label="Copy the body" text={whole} />
        </div>
      )}
    </section>
  );
}
