/** Stands for any characters, also none. Every other character of a pattern stands for itself. */
const wildcard = "*";

/**
 * Whether one of the patterns covers a name. Names are compared exactly as they are: neither case, nor white space, nor
 * the form of accents is evened out. Takes time in proportion to the lengths of pattern and name at worst.
 */
export function coversNamespace(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => fits(pattern, name));
}

function fits(pattern: string, name: string): boolean {
  const [head = "", ...others] = pattern.split(wildcard);
  const tail = others.pop();
  if (tail === undefined) return pattern === name;
  if (name.length < head.length + tail.length || !name.startsWith(head) || !name.endsWith(tail)) return false;
  const end = name.length - tail.length;
  let place = head.length;
  for (const part of others) {
    const found = name.indexOf(part, place);
    if (found < 0 || found + part.length > end) return false;
    place = found + part.length;
  }
  return true;
}
