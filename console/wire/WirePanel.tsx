import { IconButton } from "../design/Button.tsx";
import { CopyButton } from "../design/CopyButton.tsx";
import { download } from "../design/download.ts";
import { formatMs } from "../design/format.ts";
import { exportLog, toCurl } from "./export.ts";
import { WireEvents, WireRequest } from "./WireEvents.tsx";
import type { WireSnapshot, WireStats } from "./wire-log.ts";

/** The last request and the events of its response, as sent. */
export function WirePanel({ wire, onClose }: { wire: WireSnapshot | undefined; onClose: () => void }) {
  return (
    <section className="wire" aria-label="Wire">
      <div className="row nowrap wire-head">
        <h2>Wire</h2>
        <span className="push" />
        {wire && (
          <>
            <CopyButton label="Copy as curl" text={() => toCurl(wire.request)} />
            <IconButton icon="save" label="Export as NDJSON" onClick={() => download(exportLog(wire))} />
          </>
        )}
        <IconButton icon="close" label="Close the wire panel" onClick={onClose} />
      </div>
      {wire ? (
        <>
          <Stats stats={wire.stats} />
          <WireRequest request={wire.request} />
          <WireEvents wire={wire} />
        </>
      ) : (
        <p className="wire-empty muted">
          Ask something to see the request and each event of its answer here, with their times.
        </p>
      )}
    </section>
  );
}

function Stats({ stats: { events, firstTokenMs, tokensPerSecond, totalMs } }: { stats: WireStats }) {
  const figures = [
    ["First token", firstTokenMs === undefined ? "–" : formatMs(firstTokenMs)],
    ["Tokens per second", tokensPerSecond === undefined ? "–" : Math.round(tokensPerSecond).toLocaleString("en")],
    ["Events", events.toLocaleString("en")],
    ["Total", formatMs(totalMs)],
  ];
  return (
    <dl className="wire-stats">
      {figures.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
