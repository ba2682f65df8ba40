/**
 * Whether two words differ by at most this many typing errors: a missing, added or wrong letter, or two swapped letters.
 *
 * @param options.mayBeWrong whether a wrong letter counts as a typing error. In a short word it usually makes another word.
 */
export function isNear(
  one: string,
  other: string,
  { slips, mayBeWrong = true }: { slips: number; mayBeWrong?: boolean },
): boolean {
  if (one === other || slips === 0) return one === other;
  if (Math.abs(one.length - other.length) > slips) return false;
  let at = 0;
  while (one[at] === other[at]) at++;
  const [rest, right] = [one.slice(at), other.slice(at)];
  const isSwapped = rest[0] === right[1] && rest[1] === right[0];
  const goesOn = (some: string, others: string) => isNear(some, others, { slips: slips - 1, mayBeWrong });
  return (
    goesOn(rest.slice(1), right) ||
    goesOn(rest, right.slice(1)) ||
    (isSwapped && goesOn(rest.slice(2), right.slice(2))) ||
    (mayBeWrong && goesOn(rest.slice(1), right.slice(1)))
  );
}
