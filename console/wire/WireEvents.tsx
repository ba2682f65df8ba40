import { useMemo, useRef, useState } from "react";
import { useStickToEnd } from "../design/use-stick-to-end.ts";
import { groupEntries, singleEntries } from "./group-entries.ts";
import { WireRow } from "./WireRow.tsx";
import type { WireSnapshot } from "./wire-log.ts";

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
