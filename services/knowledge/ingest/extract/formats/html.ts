import { isProbablyReaderable, Readability } from "@mozilla/readability";
import { normaliseText } from "../../normalise.ts";
import type { ExtractedText, ExtractionInput } from "../document.ts";
import { ExtractionError, parseLanguageTag } from "../document.ts";
import { decodeText } from "../encoding/decode.ts";
import { toLatin1 } from "../encoding/decoders.ts";
import { parseCharset, parseInnerEncodingLabel } from "../encoding/known-encoding.ts";
import type { DomDocument, DomElement, DomParent } from "./dom.ts";
import { isElement, parsePage } from "./dom.ts";
import { moveFurniture } from "./html-furniture.ts";
import { toMarkdown } from "./html-markdown.ts";
import { HeadingScanner } from "./markdown.ts";

/** A page must declare its encoding in its first 1024 bytes (HTML standard, 13.2.3.2), but browsers also find it later. */
const maxDeclarationBytes = 16 * 1024;

/** Elements whose text readers never see, or that the author struck out. */
const invisible =
  "script, style, noscript, template, iframe, object, embed, svg, canvas, annotation, head, title, del, s, strike, [hidden]:not([hidden=until-found]), [aria-hidden=true], .mw-editsection";

/** Inline styles that hide an element or strike out its text. */
export const hiddenStyle =
  /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*hidden|text-decoration(?:-line)?\s*:[^;]{0,60}\bline-through\b)/i;

/** All elements that a head may contain (HTML standard, 4.2.1). */
const metadata = "head, title, meta, link, base, script, style, noscript, template";

/** Elements that move to the end of a page that is taken as a whole. */
const secondary = "nav, [role=navigation], aside, footer";

/** Elements around a page's main content. */
const surrounding =
  "header, footer, aside, form, [role=banner], [role=contentinfo], [role=complementary], [role=search]";

/** Pages with less main content than this, in UTF-16 code units, fall back to the full page text. */
const minContentCharacters = 140;

/** Minimum share of the text outside the surrounding elements that the main content must contain. */
const minContentShare = 0.25;

/**
 * A page as Markdown, without scripts and styles. A fetched page (with `input.url`) is reduced to its main content with absolute links.
 * Without main content, all its text except navigation and similar elements is used. An uploaded file is used as a whole, with asides
 * and footers at the end. Its navigation comes last, where no search finds it.
 */
export function extractHtml(input: ExtractionInput): ExtractedText {
  const html = decodeText(input.bytes, parseCharset(input.contentType), declaredCharset(input.bytes));
  const document = parsePage(html);
  endHeads(document);
  const wasFetched = input.url !== undefined;
  const furniture = moveFurniture(document.body);
  const titles = [...document.querySelectorAll("title")].filter((element) => element.closest("svg") === null);
  const language = parseLanguageTag(document.querySelector("html[lang]")?.getAttribute("lang"));
  resolveLinks(document, input.url);
  const title = readText(titles[0] ?? null) || readText(document.querySelector("h1"));
  const { content, isMainContent } = findContent(document, wasFetched);
  const text = normaliseText(toMarkdown(content));
  if (text === "") throw new ExtractionError("no_text", "The page holds no text.");
  const about = { title: title || undefined, language, isMainContent, marks: new HeadingScanner().scan(text) };
  if (!wasFetched) removeInvisible(furniture);
  const menus = wasFetched ? "" : normaliseText(toMarkdown(furniture));
  return menus === "" ? { text, ...about } : { text: `${text}\n\n${menus}`, indexedLength: text.length, ...about };
}

/** A piece of HTML, such as the body of an e-mail, as Markdown. Empty if it contains no text. */
export function readFragment(html: string): string {
  if (!html.includes("<") && !html.includes("&")) return normaliseText(html);
  const document = parsePage(html);
  resolveLinks(document, undefined);
  return normaliseText(toMarkdown(findContent(document, false).content));
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = toLatin1(bytes.subarray(0, maxDeclarationBytes));
  const label = /<meta[^<>]+charset\s*=\s*["']?([\w:-]+)/i.exec(start)?.[1];
  return label === undefined ? undefined : parseInnerEncodingLabel(label);
}

/** Ends each head where another element begins, as browsers do. Otherwise an unclosed script would swallow the end tag of its head. */
function endHeads(document: DomDocument): void {
  const { body } = document;
  const first = body.firstChild;
  for (const head of document.querySelectorAll("head")) {
    const children = [...head.childNodes];
    const end = children.findIndex((child) => isElement(child) && !child.matches(metadata));
    for (const child of end < 0 ? [] : children.slice(end)) body.insertBefore(child, first);
  }
}

function resolveLinks(document: DomDocument, url: string | undefined): void {
  const declared = document.querySelector("base")?.getAttribute("href") ?? undefined;
  const base = (declared === undefined ? undefined : URL.parse(declared, url)?.href) ?? url;
  for (const link of document.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    // Remove permalink symbols next to headings.
    if (href.startsWith("#") && link.closest("h1, h2, h3, h4, h5, h6") && !/[\p{L}\p{N}]/u.test(readText(link)))
      link.remove();
    const absolute = href.startsWith("#") ? undefined : URL.parse(href, base)?.href;
    if (absolute === undefined) link.removeAttribute("href");
    else link.setAttribute("href", absolute);
  }
}

/** The element that contains the text. */
function findContent(document: DomDocument, wasFetched: boolean): { content: DomElement; isMainContent?: boolean } {
  const isReaderable = wasFetched && isProbablyReaderable(document as never);
  removeInvisible(document);
  const { body } = document;
  if (!wasFetched) {
    for (const element of [...body.querySelectorAll(secondary)]) body.insertBefore(element, null);
    return { content: body };
  }
  const article = isReaderable ? readArticle(document) : undefined;
  const whole = body.cloneNode(true) as DomElement;
  for (const element of body.querySelectorAll(surrounding)) element.remove();
  const main = findMainContent(body, article);
  return { content: main ?? whole, isMainContent: main !== undefined };
}

function removeInvisible(parent: DomParent): void {
  for (const element of parent.querySelectorAll(invisible)) element.remove();
  for (const element of parent.querySelectorAll("[style]")) {
    if (hiddenStyle.test(element.getAttribute("style") ?? "")) element.remove();
  }
}

/** The first of these that contains enough text: the article, the only `main` element, or what remains of the page. */
function findMainContent(body: DomElement, article: DomElement | undefined): DomElement | undefined {
  const all = measureText(body);
  const mains = [...body.querySelectorAll("main, [role=main], article")];
  const candidates = [article, mains.length === 1 ? mains[0] : undefined, body];
  const enough = Math.max(minContentCharacters, all * minContentShare);
  return candidates.find((candidate) => candidate !== undefined && measureText(candidate) >= enough);
}

/** Marks headings that were `h1`, because Readability changes them to `h2`. */
const outermostHeading = "data-outermost";

/** A section or appendix number: "3.1", "2.", "A.4". */
const sectionNumber = /^\p{Lu}?[.\p{N}]+[.:)]?$/u;

function restoreOutermost(heading: DomElement): void {
  const raised = heading.ownerDocument.createElement("h1");
  for (const child of [...heading.childNodes]) raised.insertBefore(child, null);
  heading.parentElement?.insertBefore(raised, heading);
  heading.remove();
}

/** The article that Readability finds, with its first heading, which Readability drops if it equals the title. */
function readArticle(document: DomDocument): DomElement | undefined {
  const copy = document.cloneNode(true) as DomDocument;
  const heading = readText(copy.querySelector("h1"));
  for (const outermost of copy.querySelectorAll("h1")) outermost.setAttribute(outermostHeading, "");
  for (const part of copy.querySelectorAll("h1 *, h2 *, h3 *, h4 *, h5 *, h6 *")) {
    // Readability would treat Pandoc's class `header-section-number` as a page header.
    if (sectionNumber.test(readText(part))) part.removeAttribute("class");
  }
  const content = new Readability<DomElement>(copy, {
    serializer: (node) => node as DomElement,
    charThreshold: 0,
  }).parse()?.content;
  if (!content) return undefined;
  for (const lowered of content.querySelectorAll(`h2[${outermostHeading}]`)) restoreOutermost(lowered);
  if (heading !== "" && readText(content.querySelector("h1, h2")) !== heading) {
    const first = document.createElement("h1");
    first.textContent = heading;
    content.insertBefore(first, content.firstChild);
  }
  return content;
}

function readText(element: DomElement | null): string {
  return normaliseText((element?.textContent ?? "").replace(/\s+/g, " "));
}

function measureText(element: DomElement): number {
  return (element.textContent ?? "").replace(/\s+/g, " ").length;
}
