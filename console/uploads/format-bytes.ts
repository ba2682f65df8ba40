const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A size in the unit that fits, as file managers show it: "3.4 MB" for 3,400,000. */
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

/** A message of a service with its large numbers of bytes as sizes that can be read. */
export const readableSizes = (message: string): string =>
  message.replace(/\b(\d{4,}) bytes\b/g, (_, bytes: string) => formatBytes(Number(bytes)));
