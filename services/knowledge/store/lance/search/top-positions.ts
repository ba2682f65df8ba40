/**
 * The positions of the highest scores, best first; of equal ones the first. Positions with -Infinity are left out.
 *
 * @returns at most `limit` positions
 */
export function takeTopPositions(scores: Float32Array, limit: number): number[] {
  const floor = scores.length <= limit ? Number.NEGATIVE_INFINITY : scores.toSorted().at(-limit);
  const above: number[] = [];
  // Thousands may be equally good, such as the chunks of a text that repeats itself.
  const equal: number[] = [];
  for (let position = 0; position < scores.length; position += 1) {
    const score = scores[position] as number;
    if (score === Number.NEGATIVE_INFINITY) continue;
    if (score > (floor as number)) above.push(position);
    else if (score === floor && equal.length < limit) equal.push(position);
  }
  above.sort((one, other) => (scores[other] as number) - (scores[one] as number) || one - other);
  return [...above, ...equal].slice(0, limit);
}
