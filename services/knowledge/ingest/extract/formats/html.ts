import { isProbablyReaderable, Readability } from "@mozilla/readability";
import { normaliseText } from "../../normalise.ts";
import { charsetOf, decodeText } from "../decode.ts";
import type { ExtractedDocument } from "../document.ts";
import { ExtractionError } from "../document.ts";
import type { ExtractionInput } from "../formats.ts";
import { languageTag } from "../language.ts";
import type { DomDocument, DomElement } from "./dom.ts";
import { parsePage } from "./dom.ts";
import { markdownOf } from "./html-markdown.ts";
import { findHeadings } from "./markdown.ts";

/** Bytes in which a page must declare its encoding (HTML standard, 13.2.3.2). */
const declarationBytes = 1024;

/** Never text to a reader. */
const invisible =
  "script, style, noscript, template, iframe, object, embed, svg, canvas, dialog, head, nav, [role=navigation], [hidden], [aria-hidden=true]";

/** Around the content, where there is content. */
const furniture = "header, footer, aside, form, [role=banner], [role=contentinfo], [role=complementary], [role=search]";

/** Content shorter than this is none. */
const minContentCharacters = 140;

/** Content is not the page's main content when it holds less than this part of the text outside furniture. */
const minContentShare = 0.25;

/**
 * A web page's main content as Markdown, without scripts, styles and navigation; the whole page's text when it has no main
 * content. Links are absolute when the page's address is given.
 */
export function extractHtml(input: ExtractionInput): ExtractedDocument {
  const html = decodeText(input.bytes, charsetOf(input.contentType) ?? declaredCharset(input.bytes));
  const document = parsePage(html);
  const title = textOf(document.querySelector("title")) || textOf(document.querySelector("h1"));
  const language = languageTag(document.documentElement.getAttribute("lang"));
  resolveLinks(document, input.url);
  const text = normaliseText(markdownOf(contentOf(document)));
  if (text === "") throw new ExtractionError("no_text", "The page holds no text.");
  return {
    text,
    ...(title === "" ? {} : { title }),
    ...(language === undefined ? {} : { language }),
    contentType: "text/html",
    marks: findHeadings(text).marks,
  };
}

function declaredCharset(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, declarationBytes)).toString(
    "latin1",
  );
  return /<meta[^>]+charset\s*=\s*["']?([\w:-]+)/i.exec(start)?.[1];
}

function resolveLinks(document: DomDocument, url: string | undefined): void {
  const declared = document.querySelector("base")?.getAttribute("href") ?? undefined;
  const base = (declared === undefined ? undefined : URL.parse(declared, url)?.href) ?? url;
  for (const link of document.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    const absolute = href.startsWith("#") ? undefined : URL.parse(href, base)?.href;
    if (absolute === undefined) link.removeAttribute("href");
    else link.setAttribute("href", absolute);
  }
}

/** The element that holds the page's content. */
function contentOf(document: DomDocument): DomElement {
  const isReaderable = isProbablyReaderable(document as never);
  for (const element of document.querySelectorAll(invisible)) element.remove();
  const body = document.body ?? document.documentElement;
  const article = isReaderable ? articleOf(document) : undefined;
  const whole = body.cloneNode(true) as DomElement;
  for (const element of body.querySelectorAll(furniture)) element.remove();
  const outsideFurniture = lengthOf(body);
  const isContent = (candidate: DomElement) =>
    lengthOf(candidate) >= Math.max(minContentCharacters, outsideFurniture * minContentShare);
  if (article !== undefined && isContent(article)) return article;
  const mains = [...body.querySelectorAll("main, [role=main], article")];
  const [main] = mains;
  if (main !== undefined && mains.length === 1 && isContent(main)) return main;
  return outsideFurniture >= minContentCharacters ? body : whole;
}

/** What Readability takes for the article, its first heading put back, which Readability drops when it is the title. */
function articleOf(document: DomDocument): DomElement | undefined {
  const copy = document.cloneNode(true) as DomDocument;
  const heading = textOf(copy.querySelector("h1"));
  const content = new Readability<DomElement>(copy, {
    serializer: (node) => node as DomElement,
    charThreshold: 0,
  }).parse()?.content;
  if (!content) return undefined;
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
