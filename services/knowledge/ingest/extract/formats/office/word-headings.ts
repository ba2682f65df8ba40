import { getAttribute } from "../scan-xml.ts";

/** Paragraph styles by id, each with its heading level. 1 is the outermost level. */
export type HeadingStyles = ReadonlyMap<string, number>;

const maxLevel = 9;

/**
 * Finds the styles that make a paragraph a heading (ECMA-376 part 1, 17.7.4 and 17.3.1.20): Word's own, whose ids are in the author's
 * language ("berschrift1"), those with an outline level, and those based on another heading style.
 */
export function findHeadingStyles(stylesXml: string): HeadingStyles {
  const own = new Map<string, { level: number | undefined; base: string | undefined }>();
  for (const part of stylesXml.split(/<w:style\s/).slice(1)) {
    const style = part.slice(0, Math.max(0, part.indexOf("</w:style>")));
    const attributes = style.slice(0, style.indexOf(">"));
    const id = getAttribute(attributes, "styleId");
    if (id === undefined || getAttribute(attributes, "type") !== "paragraph") continue;
    const named = /^heading ([1-9])$/i.exec(getValue(style, "name") ?? "")?.[1];
    own.set(id, { level: named === undefined ? readLevel(style) : Number(named), base: getValue(style, "basedOn") });
  }
  const headings = new Map<string, number>();
  for (const [id, { level, base }] of own) {
    // A style is rarely more than a few steps away from the one with the level. The limit also ends circular references.
    let [found, next] = [level, base];
    for (let steps = 0; found === undefined && next !== undefined && steps < maxLevel; steps++) {
      const based = own.get(next);
      [found, next] = [based?.level, based?.base];
    }
    if (found !== undefined && found <= maxLevel) headings.set(id, found);
  }
  return headings;
}

/** Gives headings the style ids that officeparser knows, and removes their numbers, because it treats numbered headings as list items. */
export function markHeadings(xml: string, styles: HeadingStyles): string {
  const [before = "", ...parts] = xml.split("<w:pPr>");
  const marked = parts.map((part) => {
    const end = part.search(/<\/w:pPr>|<w:pPrChange/);
    const properties = part.slice(0, Math.max(0, end));
    const level = readLevel(properties) ?? styles.get(getValue(properties, "pStyle") ?? "");
    if (level === undefined || level > maxLevel) return part;
    const unstyled = properties.replace(/<w:pStyle\s[^<>]*>/g, "");
    return `<w:pStyle w:val="Heading${level}"/>${withoutNumber(unstyled)}${part.slice(end)}`;
  });
  return [before, ...marked].join("<w:pPr>");
}

function withoutNumber(properties: string): string {
  const start = properties.indexOf("<w:numPr>");
  const end = properties.indexOf("</w:numPr>", start);
  return start < 0 || end < 0 ? properties : properties.slice(0, start) + properties.slice(end + "</w:numPr>".length);
}

/** The heading level of an outline level. The outline level of body text is beyond the last one. */
function readLevel(properties: string): number | undefined {
  const outline = getValue(properties, "outlineLvl");
  return outline !== undefined && /^\d$/.test(outline) ? Number(outline) + 1 : undefined;
}

function getValue(xml: string, name: string): string | undefined {
  const attributes = new RegExp(`<w:${name}\\s([^<>]*)>`).exec(xml)?.[1];
  return attributes === undefined ? undefined : getAttribute(attributes, "val");
}
