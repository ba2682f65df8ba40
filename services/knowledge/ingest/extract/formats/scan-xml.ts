import { ExtractionError } from "../document.ts";

/** Maximum nesting depth. No real workbook comes near it. */
const maxDepth = 1_000;

/** Names have no prefix. */
export type XmlToken =
  | { type: "open"; name: string; attributes: string }
  | { type: "close"; name: string }
  | { type: "text"; text: string };

/**
 * The tags and texts of XML 1.0 without a document type declaration, in order and in linear time. An empty element yields both an
 * `open` and a `close` token.
 *
 * @throws ExtractionError `damaged` if it isn't well-formed
 */
export function* scanXml(xml: string): Generator<XmlToken, void, undefined> {
  const open: string[] = [];
  for (let at = 0; at < xml.length; ) {
    const tag = xml.indexOf("<", at);
    const textEnd = tag === -1 ? xml.length : tag;
    if (textEnd > at && open.length > 0) yield { type: "text", text: decodeEntities(xml.slice(at, textEnd)) };
    if (tag === -1) break;
    if (xml.startsWith("<!--", tag)) at = findEnd(xml, "-->", tag);
    else if (xml.startsWith("<![CDATA[", tag)) {
      at = findEnd(xml, "]]>", tag);
      yield { type: "text", text: xml.slice(tag + 9, at - 3) };
    } else if (xml.startsWith("<?", tag)) at = findEnd(xml, "?>", tag);
    else {
      at = findTagEnd(xml, tag);
      const isClosing = xml.charAt(tag + 1) === "/";
      const isEmpty = xml.charAt(at - 2) === "/";
      const inside = xml.slice(tag + (isClosing ? 2 : 1), at - (isEmpty ? 2 : 1));
      const fullName = /^[^\s]+/.exec(inside)?.[0] ?? "";
      const name = fullName.slice(fullName.indexOf(":") + 1);
      if (!isClosing) {
        yield { type: "open", name, attributes: inside.slice(fullName.length) };
        if (open.push(fullName) > maxDepth) throw createMalformedError();
      }
      if (isClosing || isEmpty) {
        if (open.pop() !== fullName) throw createMalformedError();
        yield { type: "close", name };
      }
    }
  }
  if (open.length > 0) throw createMalformedError();
}

/** The expression is sticky, and adjacent parts have no character in common, so scanning takes linear time. */
const nextAttribute = /\s*([^\s="'<>]*)\s*(?:=\s*(?:"([^"]*)"|'([^']*)'))?/y;

/** The value of an attribute, by its name without prefix. */
export function getAttribute(attributes: string, name: string): string | undefined {
  for (let at = 0; at < attributes.length; at = Math.max(at + 1, nextAttribute.lastIndex)) {
    nextAttribute.lastIndex = at;
    const [, key = "", double, single] = nextAttribute.exec(attributes) ?? [];
    const value = double ?? single;
    if (value !== undefined && (key === name || key.endsWith(`:${name}`))) return decodeEntities(value);
  }
  return undefined;
}

/** XML's predefined entities. Entities that a document declares stay unchanged. */
const namedEntities: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

export function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w{1,8}));/gi, (whole, decimal, hexadecimal, name) => {
    if (name !== undefined) return namedEntities[name] ?? whole;
    const code = Number.parseInt(decimal ?? hexadecimal, decimal === undefined ? 16 : 10);
    return code > 0x10ffff ? "\ufffd" : String.fromCodePoint(code);
  });
}

function findEnd(xml: string, mark: string, from: number): number {
  const found = xml.indexOf(mark, from);
  if (found === -1) throw createMalformedError();
  return found + mark.length;
}

const quoteOrEnd = /["'>]/g;

/** Index just past the tag's closing ">", skipping any ">" inside quoted attribute values. */
function findTagEnd(xml: string, from: number): number {
  quoteOrEnd.lastIndex = from + 1;
  for (let found = quoteOrEnd.exec(xml); found !== null; found = quoteOrEnd.exec(xml)) {
    if (found[0] === ">") return quoteOrEnd.lastIndex;
    const closing = xml.indexOf(found[0], quoteOrEnd.lastIndex);
    if (closing === -1) break;
    quoteOrEnd.lastIndex = closing + 1;
  }
  throw createMalformedError();
}

function createMalformedError(): ExtractionError {
  return new ExtractionError("damaged", "The file is damaged: its XML is not well formed.");
}
