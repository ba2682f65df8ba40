import { Button } from "../design/Button.tsx";
import { CopyButton } from "../design/CopyButton.tsx";
import { download } from "../design/download.ts";
import { milliseconds } from "../design/format.ts";
import { curlOf, exportLog } from "./export.ts";
import { WireEvents, WireRequest } from "./WireEvents.tsx";
import type { WireStats as Stats, WireSnapshot } from "./wire-log.ts";

/** What the last request and its answer were on the wire: the request, then each event as it came. */
export function WirePanel({ wire, onClose }: { wire: WireSnapshot | undefined; onClose: () => void }) {
  return (
    <section className="wire" aria-label="Wire">
      <div className="wire-head">
        <h2>Wire</h2>
        <span className="push" />
        {wire && (
          <>
            <CopyButton label="Copy as curl" text={() => curlOf(wire.request)} />
            <Button
              look="quiet"
              small
              icon="save"
              iconOnly
              title="Export as NDJSON"
              onClick={() => download(exportLog(wire))}
            >
              Export as NDJSON
            </Button>
          </>
        )}
        <Button look="quiet" small icon="close" iconOnly title="Close the wire panel" onClick={onClose}>
          Close the wire panel
        </Button>
      </div>
      {wire ? (
        <>
          <WireStats stats={wire.stats} />
          <WireRequest request={wire.request} />
          <WireEvents wire={wire} />
        </>
      ) : (
        <p className="wire-empty muted">
          Ask something: the request, and each event of its answer, appear here as they travel, with their times.
        </p>
      )}
    </section>
  );
}

function WireStats({ stats }: { stats: Stats }) {
  const figures = [
    ["First token", stats.firstTokenMs === undefined ? "–" : milliseconds(stats.firstTokenMs)],
    [
      "Tokens per second",
      stats.tokensPerSecond === undefined ? "–" : Math.round(stats.tokensPerSecond).toLocaleString("en"),
    ],
    ["Events", stats.events.toLocaleString("en")],
    ["Total", milliseconds(stats.totalMs)],
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
