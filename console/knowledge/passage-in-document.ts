/**
 * Cuts a document's text around a quote.
 *
 * @param text the document's text, where it is known
 * @param passage the quote and its offsets in UTF-16 units; where the text at these is another one, it is looked for
 * @param context how many characters to show before and after it
 */
export function passageInDocument(
  text: string | undefined,
  passage: { quote: string; start: number; end: number },
  context: number,
): { before: string; quote: string; after: string; shortened: boolean } {
  const { quote } = passage;
  const isThere = text?.slice(passage.start, passage.end) === quote;
  const start = isThere ? passage.start : (text?.indexOf(quote) ?? -1);
  if (text === undefined || start < 0) return { before: "", quote, after: "", shortened: false };
  const end = start + quote.length;
  const from = Math.max(0, start - context);
  const to = Math.min(text.length, end + context);
  return {
    before: (from > 0 ? "… " : "") + text.slice(from, start),
    quote,
    after: text.slice(end, to) + (to < text.length ? " …" : ""),
    shortened: from > 0 || to < text.length,
  };
}
