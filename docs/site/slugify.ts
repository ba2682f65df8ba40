/** The anchor of a heading, as GitHub makes it, so that links work on GitHub and on the site. */
export function slugify(heading: string): string {
  const text = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
  return text.replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "").replaceAll(" ", "-");
}
