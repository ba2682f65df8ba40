/**
 * Joins paragraphs of a Word document that a reader sees as one: a drop cap with its words (ECMA-376 part 1, 17.3.1.11), and a
 * paragraph with the next one if the mark between them was deleted (17.13.5.15). The result has the properties of the latter.
 */
export function joinParagraphs(xml: string): string {
  if (!/<w:framePr\s[^<>]*dropCap|<w:del\s/.test(xml)) return xml;
  const ends = "</w:p>";
  const parts = xml.split(ends);
  let carried = "";
  const joined = parts.map((part, index) => {
    const [before, properties, runs] = splitParagraph(part);
    if (before === undefined || properties === undefined || runs === undefined) return part + ends;
    const content = carried + runs;
    carried = "";
    if (isJoined(properties) && /^\s*<w:p(?:\s[^<>]*[^/<>])?>/.test(parts[index + 1] ?? "")) {
      carried = content;
      return before.slice(0, before.lastIndexOf("<w:p"));
    }
    return before + properties + content + ends;
  });
  return joined.join("").slice(0, -ends.length);
}

/** What is before a paragraph's properties, the properties and the content, if the part has the start of a paragraph. */
function splitParagraph(part: string): string[] {
  const start = Math.max(part.lastIndexOf("<w:p>"), part.lastIndexOf("<w:p "));
  if (start < 0) return [];
  const open = part.indexOf(">", start) + 1;
  const [own] = /^\s*<w:pPr>/.exec(part.slice(open, open + 100)) ?? [""];
  const change = part.indexOf("</w:pPrChange>", open);
  const end = own === "" ? open : part.indexOf("</w:pPr>", Math.max(open, change)) + "</w:pPr>".length;
  return [part.slice(0, open), part.slice(open, end), part.slice(end)];
}

const isJoined = (properties: string): boolean =>
  /<w:framePr\s[^<>]*w:dropCap="(?:drop|margin)"|<w:rPr>\s*(?:<w:ins\s[^<>]*>\s*(?:<\/w:ins>)?\s*)?<w:del\s/.test(
    properties,
  );

/** Shows the words of phonetic guides (ECMA-376 part 1, 17.3.3.25) without the guides. officeparser would lose both. */
export function showGuidedWords(xml: string): string {
  const [before = "", ...guided] = xml.split("<w:ruby>");
  const shown = guided.map((part) => {
    const base = part.indexOf("<w:rubyBase>");
    return base < 0 ? part : part.slice(base + "<w:rubyBase>".length).replace(/<\/w:rubyBase>\s*<\/w:ruby>/, "<w:r>");
  });
  return [before, ...shown].join("</w:r>");
}
