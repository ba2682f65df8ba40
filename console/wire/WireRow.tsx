import { memo } from "react";
import { milliseconds } from "./format.ts";
import type { WireEntry } from "./wire-log.ts";

export const WireRow = memo(function WireRow({ entry }: { entry: WireEntry }) {
  return (
    <li className={`wire-row wire-${entry.kind}`}>
      <span className="wire-label">{entry.label}</span>
      <span className="wire-time">{milliseconds(entry.atMs)}</span>
      <span className="wire-gap">+{milliseconds(entry.gapMs)}</span>
      <code className="wire-raw">{entry.raw}</code>
    </li>
  );
});
