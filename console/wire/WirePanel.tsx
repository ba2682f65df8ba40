import { useRef } from "react";
import type { ChatSnapshot } from "../chat/chat-session.ts";
import { useStickToEnd } from "../chat/use-stick-to-end.ts";
import { Button } from "../design/Button.tsx";
import { CopyButton } from "../design/CopyButton.tsx";
import { curlOf } from "./curl.ts";
import { WireRow } from "./WireRow.tsx";
import { WireStats } from "./WireStats.tsx";

/** The raw events of the last request, as they come. */
export function WirePanel({ wire, onClose }: { wire: ChatSnapshot["wire"]; onClose: () => void }) {
  const list = useRef<HTMLElement>(null);
  useStickToEnd(list, wire?.entries);
  return (
    <section className="wire" aria-label="Wire">
      <div className="wire-head">
        <h2>Wire</h2>
        <span className="push" />
        {wire && <CopyButton label="Copy as curl" text={() => curlOf(wire.request)} />}
        <Button look="quiet" small icon="close" iconOnly title="Close the wire panel" onClick={onClose}>
          Close the wire panel
        </Button>
      </div>
      {wire ? (
        <>
          <WireStats stats={wire.stats} />
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
          <section className="wire-list" ref={list} tabIndex={0} aria-label="Events">
            {wire.leftOut > 0 && <p className="muted small">{wire.leftOut} earlier entries are not shown.</p>}
            <ol>
              {wire.entries.map((entry) => (
                <WireRow key={entry.id} entry={entry} />
              ))}
            </ol>
          </section>
        </>
      ) : (
        <p className="wire-empty muted">
          Ask something: the request, and each event of its answer, appear here as they travel, with their times.
        </p>
      )}
    </section>
  );
}
