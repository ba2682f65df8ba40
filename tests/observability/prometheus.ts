/** One value in Prometheus's text format. */
export interface Sample {
  name: string;
  labels: Record<string, string>;
  value: number;
}

export interface Scrape {
  /** The type of each metric, by name. */
  types: Map<string, string>;
  samples: Sample[];
  /** The sum of the samples with this name and at least these labels. */
  value(name: string, labels?: Record<string, string>): number;
}

/**
 * Parses the text format strictly: https://prometheus.io/docs/instrumenting/exposition_formats/
 *
 * @throws Error that shows the invalid line
 */
export function parseScrape(text: string): Scrape {
  const types = new Map<string, string>();
  const samples: Sample[] = [];
  for (const line of text.split("\n")) {
    const [, typed, type] = /^# TYPE (\w+) (counter|gauge|histogram|summary)$/.exec(line) ?? [];
    if (typed !== undefined && type !== undefined) types.set(typed, type);
    if (line === "" || line.startsWith("#")) continue;
    const [, name, inner = "", value] = /^([a-z_:][a-z0-9_:]*)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
    // The value isn't measured yet, such as the event loop's lag right after the start.
    const isNumber = value === "Nan" || !Number.isNaN(Number(value));
    if (name === undefined || !isNumber) throw new Error(`No sample: ${line}`);
    const labels = Object.fromEntries(
      [...inner.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, label = "", text = ""]) => [label, text]),
    );
    samples.push({ name, labels, value: Number(value) });
  }
  return {
    types,
    samples,
    value: (name, labels = {}) =>
      samples
        .filter((sample) => sample.name === name)
        .filter((sample) => Object.entries(labels).every(([label, text]) => sample.labels[label] === text))
        .reduce((sum, { value }) => sum + value, 0),
  };
}
