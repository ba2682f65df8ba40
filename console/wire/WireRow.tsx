import { memo, useState } from "react";
import { CopyButton } from "../design/CopyButton.tsx";
import { prettyJson } from "../design/pretty-json.ts";
import { milliseconds } from "./format.ts";
import type { EntryGroup } from "./group-entries.ts";

/** One event, or a group of them, on few lines; all of it once it is opened. */
export const WireRow = memo(
  function WireRow({ group }: { group: EntryGroup }) {
    const { kind, label, atMs, gapMs, raw, words, entries } = group;
    const [open, setOpen] = useState(false);
    const isGroup = entries.length > 1;
    const whole = () => (isGroup ? entries.map((entry) => entry.raw).join("\n") : prettyJson(raw));
    return (
      <li className={`wire-row wire-${kind}`}>
        <button type="button" className="wire-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
          <span className="wire-label">
            {label}
            {isGroup && <span className="badge wire-count">× {entries.length}</span>}
          </span>
          <span className="wire-time">{milliseconds(atMs)}</span>
          <span className="wire-gap">+{milliseconds(gapMs)}</span>
          {!open && <code className="wire-raw">{isGroup ? words : raw}</code>}
        </button>
        {open && (
          <div className="wire-open">
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
            <pre className="code" tabIndex={0}>
              {whole()}
            </pre>
            <CopyButton iconOnly label={`Copy ${label}`} text={whole} />
          </div>
        )}
      </li>
    );
  },
  // Groups are made anew for each event, and only grow.
  (before, after) => before.group.id === after.group.id && before.group.entries.length === after.group.entries.length,
);
