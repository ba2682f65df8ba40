/** Milliseconds as a short text: `7 ms`, `1.25 s`. */
export function milliseconds(value: number): string {
  if (value >= 1_000) return `${(value / 1_000).toFixed(2)} s`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
