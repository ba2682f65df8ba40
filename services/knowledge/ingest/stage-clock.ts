import type { IngestOrder, IngestStage } from "./ingest.ts";

/**
 * The same order, of whose items it is told how long each was in each stage. Reading lasts until the item's turn to be
 * stored has come.
 */
export function timed(order: IngestOrder, tell: (stage: IngestStage, durationMs: number) => void): IngestOrder {
  const current = new Map<number, { stage: IngestStage; since: number }>();
  function leave(position: number): void {
    const left = current.get(position);
    if (left) tell(left.stage, performance.now() - left.since);
    current.delete(position);
  }
  return {
    ...order,
    onStage(position, stage) {
      leave(position);
      current.set(position, { stage, since: performance.now() });
      order.onStage?.(position, stage);
    },
    onOutcome(position, outcome) {
      leave(position);
      order.onOutcome?.(position, outcome);
    },
  };
}
