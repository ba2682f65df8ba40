import { memo, useMemo, useRef, useState } from "react";
import type { StreamRequest } from "../connections/request.ts";
import { CopyButton } from "../design/CopyButton.tsx";
import { milliseconds } from "../design/format.ts";
import { prettyJson } from "../design/pretty-json.ts";
import { useStickToEnd } from "../design/use-stick-to-end.ts";
import type { EntryGroup, WireSnapshot } from "./wire-log.ts";
import { groupEntries, singleEntries } from "./wire-log.ts";

/** Maximum number of rows that are shown. The export has all that is kept. */
const maxRows = 1_000;

/** The events as they came, to filter and to group. */
export function WireEvents({ wire: { entries, leftOut } }: { wire: WireSnapshot }) {
  const list = useRef<HTMLElement>(null);
  const [filter, setFilter] = useState("");
  const [isGrouped, setIsGrouped] = useState(true);
  useStickToEnd(list, entries);
  const groups = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    const matches = entries.filter(({ label, raw }) => `${label} ${raw}`.toLowerCase().includes(wanted));
    return isGrouped ? groupEntries(matches) : singleEntries(matches);
  }, [entries, filter, isGrouped]);
  const shown = groups.slice(-maxRows);
  const hiddenCount = leftOut + groups.length - shown.length;
  return (
    <>
      <div className="row wire-tools">
        <input
          type="search"
          className="input"
          aria-label="Filter events"
          placeholder="Filter events"
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
        <label className="row small wire-group">
          <input type="checkbox" checked={isGrouped} onChange={(event) => setIsGrouped(event.target.checked)} />
          Group deltas
        </label>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className="wire-list" ref={list} tabIndex={0} aria-label="Events">
        {hiddenCount > 0 && <p className="muted small">{hiddenCount} earlier entries are not shown.</p>}
        {groups.length === 0 && filter !== "" && <p className="muted small">No event has these words.</p>}
        <ol>
          {shown.map((group) => (
            <WireRow key={group.id} group={group} />
          ))}
        </ol>
      </section>
    </>
  );
}

/** One event, or a group of them, on few lines; all of it once it is opened. */
const WireRow = memo(
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
