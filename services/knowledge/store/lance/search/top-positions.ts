/**
 * The positions of the highest scores, best first. A tie goes to the first position.
 *
 * @param options.above scores must be higher than this
 * @param options.accepted only positions with 1 here, if given
 * @returns at most `limit` positions
 */
export function takeTopPositions(
  scores: Float32Array,
  limit: number,
  { above = Number.NEGATIVE_INFINITY, accepted }: { above?: number; accepted?: Uint8Array | undefined } = {},
): number[] {
  const top: number[] = [];
  let floor = above;
  for (let position = 0; position < scores.length; position += 1) {
    const score = scores[position] as number;
    if (!(score > floor) || accepted?.[position] === 0) continue;
    let place = top.length;
    while (place > 0 && score > (scores[top[place - 1] as number] as number)) place -= 1;
    top.splice(place, 0, position);
    if (top.length > limit) top.pop();
    if (top.length === limit) floor = scores[top[limit - 1] as number] as number;
  }
  return top;
}
