const made = new Map<"word" | "sentence", Intl.Segmenter>();

/** Cuts text of any language. Made when it is first used: to load its dictionaries would slow the start of processes that never do. */
export function segmenter(granularity: "word" | "sentence"): Intl.Segmenter {
  const known = made.get(granularity);
  if (known) return known;
  const segmenter = new Intl.Segmenter("und", { granularity });
  made.set(granularity, segmenter);
  return segmenter;
}
