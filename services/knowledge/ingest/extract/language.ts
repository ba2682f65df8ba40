/** The canonical form of a BCP 47 tag, or undefined when it is none. */
export function languageTag(declared: string | null | undefined): string | undefined {
  if (!declared) return undefined;
  try {
    return Intl.getCanonicalLocales(declared.trim().replaceAll("_", "-"))[0];
  } catch {
    return undefined; // A tag that is none tells nothing.
  }
}
