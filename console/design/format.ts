const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A count with its noun: "1 file", "1,200 files". */
export function formatCount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

/** A size in decimal units, as file managers show it: "3.4 MB" for 3,400,000. */
export function formatBytes(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const format = new Intl.NumberFormat("en", {
    style: "unit",
    unit: units[power] ?? "byte",
    unitDisplay: power === 0 ? "long" : "short",
    maximumSignificantDigits: 3,
  });
  return format.format(bytes / 1000 ** power);
}

/** Rewrites large byte counts in a service's message as readable sizes. */
export const withReadableSizes = (message: string): string =>
  message.replace(/\b(\d{4,}) bytes\b/g, (_, bytes: string) => formatBytes(Number(bytes)));

/** A duration: `7 ms`, `1.25 s`. */
export function formatMs(value: number): string {
  if (value >= 1_000) return `${(value / 1_000).toFixed(2)} s`;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
