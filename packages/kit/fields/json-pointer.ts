/** Longer names in a pointer are cut. In UTF-16 code units. */
const maxPointerNameLength = 200;

/** An RFC 6901 pointer to a field. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((key) => String(key).slice(0, maxPointerNameLength).toWellFormed())
    .map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
