import { milliseconds } from "./format.ts";
import type { WireStats as Stats } from "./wire-log.ts";

export function WireStats({ stats }: { stats: Stats }) {
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
