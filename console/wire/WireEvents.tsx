import type { ReactNode } from "react";
import { memo, useMemo, useRef, useState } from "react";
import { CopyButton } from "../design/CopyButton.tsx";
import { SearchInput } from "../design/Field.tsx";
import { formatMs } from "../design/format.ts";
import { Code } from "../design/Layout.tsx";
import { useStickToEnd } from "../design/use-stick-to-end.ts";
import { prettyJson } from "../json.ts";
import type { EntryGroup, StreamRequest, WireSnapshot } from "./wire-log.ts";
import { groupEntries, toSingleGroups } from "./wire-log.ts";

/** Maximum number of rows shown. The export contains all entries. */
const maxRows = 1_000;

/** The events in order of arrival, with a filter and optional grouping. */
export function WireEvents({ wire: { entries, droppedCount } }: { wire: WireSnapshot }) {
  const list = useRef<HTMLElement>(null);
  const [filter, setFilter] = useState("");
  const [isGrouped, setIsGrouped] = useState(true);
  useStickToEnd(list, entries);
  const groups = useMemo(() => {
    const wanted = filter.trim().toLowerCase();
    const matches = entries.filter(({ label, raw }) => `${label} ${raw}`.toLowerCase().includes(wanted));
    return isGrouped ? groupEntries(matches) : toSingleGroups(matches);
  }, [entries, filter, isGrouped]);
  const shown = groups.slice(-maxRows);
  const hiddenCount = droppedCount + groups.length - shown.length;
  return (
    <>
      <div className="row wire-tools">
        <SearchInput label="Filter events" value={filter} onChange={setFilter} />
        <label className="row small check">
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
            <EventRow key={group.id} group={group} />
          ))}
        </ol>
      </section>
    </>
  );
}

/** The request, with its body once it is opened. */
export function WireRequest({ request: { url, body } }: { request: StreamRequest }) {
  return (
    <section className="wire-row wire-request" aria-label="Request">
      <WireRow
        label={`POST ${new URL(url).pathname}`}
        times={
          <>
            <span />
            <span className="wire-time">request</span>
          </>
        }
        brief={() => JSON.stringify(body)}
        whole={() => JSON.stringify(body, null, 2)}
        copyLabel="Copy the body"
      />
    </section>
  );
}

const EventRow = memo(
  function EventRow({ group: { kind, label, atMs, gapMs, raw, words = "", entries } }: { group: EntryGroup }) {
    const isGroup = entries.length > 1;
    return (
      <li className={`wire-row wire-${kind}`}>
        <WireRow
          label={label}
          count={entries.length}
          times={
            <>
              <span className="wire-time">{formatMs(atMs)}</span>
              <span className="wire-gap">+{formatMs(gapMs)}</span>
            </>
          }
          brief={() => (isGroup ? words : raw)}
          whole={() => (isGroup ? entries.map((entry) => entry.raw).join("\n") : prettyJson(raw))}
          copyLabel={`Copy ${label}`}
        />
      </li>
    );
  },
  // Groups are rebuilt for each event, but they only grow.
  (before, after) => before.group.id === after.group.id && before.group.entries.length === after.group.entries.length,
);

/** A few lines that expand to the whole text. */
function WireRow({
  label,
  count = 1,
  times,
  brief,
  whole,
  copyLabel,
}: {
  label: string;
  count?: number;
  times: ReactNode;
  brief: () => string;
  whole: () => string;
  copyLabel: string;
}) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="bare-button wire-toggle" aria-expanded={open} onClick={() => setOpen(!open)}>
        <span className="wire-label">
          {label}
          {count > 1 && <span className="badge wire-count">× {count}</span>}
        </span>
        {times}
        {!open && <code className="wire-raw">{brief()}</code>}
      </button>
      {open && (
        <div className="wire-open">
          <Code>{whole()}</Code>
          <CopyButton iconOnly label={copyLabel} text={whole} />
        </div>
      )}
    </>
  );
}
