export interface Summary {
  median: number;
  min: number;
  max: number;
  /** One value per pair, in order. */
  values: number[];
}

/** Undefined if there is no finite value. */
export function summarise(values: readonly (number | undefined)[]): Summary | undefined {
  const finite = values.filter((value) => value !== undefined && Number.isFinite(value)) as number[];
  const sorted = finite.toSorted((a, b) => a - b);
  const [min, max] = [sorted[0], sorted.at(-1)];
  if (min === undefined || max === undefined) return undefined;
  const middle = (sorted.length - 1) / 2;
  const median = ((sorted[Math.floor(middle)] ?? min) + (sorted[Math.ceil(middle)] ?? max)) / 2;
  return { median, min, max, values: finite };
}

/** Slope of the least-squares line through the points, in y per x. */
export function slope(points: readonly { x: number; y: number }[]): number {
  const mean = (of: (point: { x: number; y: number }) => number) =>
    points.reduce((sum, point) => sum + of(point), 0) / points.length;
  const [meanX, meanY] = [mean(({ x }) => x), mean(({ y }) => y)];
  const covariance = points.reduce((sum, { x, y }) => sum + (x - meanX) * (y - meanY), 0);
  const variance = points.reduce((sum, { x }) => sum + (x - meanX) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}
