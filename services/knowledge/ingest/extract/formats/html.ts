import { isProbablyReaderable, Readability } from "@mozilla/readability";
import { normaliseText } from "../../normalise.ts";
import { decodeText, encodingDeclaredInside, parseCharset } from "../decode.ts";
import type { ExtractedText, ExtractionInput } from "../document.ts";
import { ExtractionError, parseLanguageTag } from "../document.ts";
import type { DomDocument, DomElement } from "./dom.ts";
import { parsePage } from "./dom.ts";
import { markdownOf } from "./html-markdown.ts";
import { HeadingScanner } from "./markdown.ts";

/** Bytes in which a page must declare its encoding are 1024 (HTML standard, 13.2.3.2), but browsers find it further on too. */
const declarationBytes = 16 * 1024;

/** Never text to a reader. */
const invisible =
  "script, style, noscript, template, iframe, object, embed, svg, canvas, annotation, head, title, [hidden], [aria-hidden=true], .mw-editsection";

const navigation = "nav, [role=navigation]";

/** Beside the content of a page that is taken whole. */
const beside = "nav, [role=navigation], aside, footer";

/** Around the content, where there is content. */
const furniture = "header, footer, aside, form, [role=banner], [role=contentinfo], [role=complementary], [role=search]";

/** Content shorter than this is none. */
const minContentCharacters = 140;

/** Content is not the page's main content when it holds less than this part of the text outside furniture. */
const minContentShare = 0.25;

/**
 * A page as Markdown, never with scripts or styles. One that was fetched (`input.url` is given) gives its main content with
 * absolute links, or all of its text but navigation when it has no main content. A file that somebody chose to send is
 * taken whole, with what stands beside its content at the end.
 */
export function extractHtml(input: ExtractionInput): ExtractedText {
  const html = decodeText(input.bytes, parseCharset(input.contentType) ?? declaredCharset(input.bytes));
  const document = parsePage(html);
  const titles = [...document.querySelectorAll("title")].filter((element) => element.closest("svg") === null);
  const language = parseLanguageTag(document.querySelector("html[lang]")?.getAttribute("lang"));
  resolveLinks(document, input.url);
  const title = textOf(titles[0] ?? null) || textOf(document.querySelector("h1"));
  const { content, isMainContent } = contentOf(document, input.url !== undefined);
  const text = normaliseText(markdownOf(content));
  if (text === "") throw new ExtractionError("no_text", "The page holds no text.");
  return { text, title: title || undefined, language, isMainContent, marks: new HeadingScanner().scan(text) };
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, declarationBytes)).toString(
    "latin1",
  );
  const label = /<meta[^<>]+charset\s*=\s*["']?([\w:-]+)/i.exec(start)?.[1];
  return label === undefined ? undefined : encodingDeclaredInside(label);
}

function resolveLinks(document: DomDocument, url: string | undefined): void {
  const declared = document.querySelector("base")?.getAttribute("href") ?? undefined;
  const base = (declared === undefined ? undefined : URL.parse(declared, url)?.href) ?? url;
  for (const link of document.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    // A sign beside a heading that leads to it.
    if (href.startsWith("#") && link.closest("h1, h2, h3, h4, h5, h6") && !/[\p{L}\p{N}]/u.test(textOf(link)))
      link.remove();
    const absolute = href.startsWith("#") ? undefined : URL.parse(href, base)?.href;
    if (absolute === undefined) link.removeAttribute("href");
    else link.setAttribute("href", absolute);
  }
}

/** The element that holds the text. */
function contentOf(document: DomDocument, wasFetched: boolean): { content: DomElement; isMainContent?: boolean } {
  const isReaderable = wasFetched && isProbablyReaderable(document as never);
  for (const element of document.querySelectorAll(invisible)) element.remove();
  const { body } = document;
  if (!wasFetched) {
    for (const element of [...body.querySelectorAll(beside)]) body.insertBefore(element, null);
    return { content: body };
  }
  for (const element of document.querySelectorAll(navigation)) element.remove();
  const article = isReaderable ? articleOf(document) : undefined;
  const whole = body.cloneNode(true) as DomElement;
  for (const element of body.querySelectorAll(furniture)) element.remove();
  const main = mainContentOf(body, article);
  return { content: main ?? whole, isMainContent: main !== undefined };
}

/** The article, the one `main` element, or all that is left of the page when it is more than a few words. */
function mainContentOf(body: DomElement, article: DomElement | undefined): DomElement | undefined {
  const all = lengthOf(body);
  const mains = [...body.querySelectorAll("main, [role=main], article")];
  const candidates = [article, mains.length === 1 ? mains[0] : undefined, body];
  const enough = Math.max(minContentCharacters, all * minContentShare);
  return candidates.find((candidate) => candidate !== undefined && lengthOf(candidate) >= enough);
}

/** Says of a heading that it was an `h1`, all of which Readability makes `h2`. */
const outermostHeading = "data-outermost";

function raise(heading: DomElement): void {
  const raised = heading.ownerDocument.createElement("h1");
  for (const child of [...heading.childNodes]) raised.insertBefore(child, null);
  heading.parentElement?.insertBefore(raised, heading);
  heading.remove();
}

/** What Readability takes for the article, its first heading put back, which Readability drops when it is the title. */
function articleOf(document: DomDocument): DomElement | undefined {
  const copy = document.cloneNode(true) as DomDocument;
  const heading = textOf(copy.querySelector("h1"));
  for (const outermost of copy.querySelectorAll("h1")) outermost.setAttribute(outermostHeading, "");
  const content = new Readability<DomElement>(copy, {
    serializer: (node) => node as DomElement,
    charThreshold: 0,
  }).parse()?.content;
  if (!content) return undefined;
  for (const lowered of content.querySelectorAll(`h2[${outermostHeading}]`)) raise(lowered);
  if (heading !== "" && textOf(content.querySelector("h1, h2")) !== heading) {
    const first = document.createElement("h1");
    first.textContent = heading;
    content.insertBefore(first, content.firstChild);
  }
  return content;
}

function textOf(element: DomElement | null): string {
  return normaliseText((element?.textContent ?? "").replace(/\s+/g, " "));
}

function lengthOf(element: DomElement): number {
  return (element.textContent ?? "").replace(/\s+/g, " ").length;
}
