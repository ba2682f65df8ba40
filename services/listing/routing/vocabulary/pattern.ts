/** A regular expression over folded text whose source is laid out on lines; line ends and indents are no part of it. */
export function pattern(source: string): RegExp {
  return new RegExp(source.replaceAll(/\n\s*/g, ""), "u");
}
