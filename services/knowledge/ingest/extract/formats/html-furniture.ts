import type { DomElement, DomNode } from "./dom.ts";
import { isElement, isText } from "./dom.ts";

const navigation = "nav, [role=navigation], [role=search], dialog, [role=dialog]";

/** Elements around a page's content. They may contain addresses and opening hours too. */
const surrounding =
  "header, footer, aside, [role=banner], [role=contentinfo], [role=complementary], [role=menubar], [role=menu]";

/** Names that authors give to such elements. */
const surroundingName =
  /(?:^|[\s_-])(?:nav(?:bar|igation|box)?|menu|breadcrumbs?|footer|header|side-?bar|top-?bar|toc|social|share|pag(?:er|ination)|skip(?:-?link)?)(?:[\s_-]|$)/i;

const consentName = /(?:^|[\s_-])(?:cookies?|consent|gdpr|cmp|onetrust|usercentrics|borlabs|didomi)(?=[A-Z\s_-]|$)/i;
/** Maximum length of a cookie notice, in characters without white space. A longer text is a page about cookies. */
const maxConsentCharacters = 1_500;

const blocks = "ul, ol, menu, p, div, section, table, td, span, header, footer, aside";
/** Minimum share of links in the text of a menu, without its headings. */
const minLinkShare = 0.7;
/** Links whose text alone is useful. */
const contentLink = /^(?:mailto|tel):|\.(?:pdf|docx?|odt|xlsx?|pptx?|csv|zip)(?:[?#]|$)/i;

const hiddenElements = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "SVG", "svg"]);

/** Number of characters without white space in an element, and how many of them are in links and headings. */
interface Measure {
  all: number;
  inLinks: number;
  inHeadings: number;
  links: number;
  titles: number;
}

const emptyMeasure: Measure = { all: 0, inLinks: 0, inHeadings: 0, links: 0, titles: 0 };

/**
 * Moves navigation, cookie notices, and the menus around the content into an element of their own. Other text of headers, footers and
 * asides stays in place. In a page with nothing else, nothing is moved.
 */
export function moveFurniture(body: DomElement): DomElement {
  const furniture = body.ownerDocument.createElement("div");
  const measures = measure(body);
  const getMeasure = (element: DomElement) => measures.get(element) ?? emptyMeasure;
  const found = new Set<DomElement>(body.querySelectorAll(navigation));
  const surroundings = new Set<DomElement>(body.querySelectorAll(surrounding));
  for (const element of body.querySelectorAll("[class], [id]")) {
    const names = `${element.getAttribute("id") ?? ""} ${element.getAttribute("class") ?? ""}`;
    if (surroundingName.test(names)) surroundings.add(element);
    if (consentName.test(names) && getMeasure(element).all <= maxConsentCharacters && isNotice(element))
      found.add(element);
  }
  const isMenu = (element: DomElement) => {
    const { all, inLinks, inHeadings, links, titles } = getMeasure(element);
    return links > 0 && titles === 0 && inLinks >= minLinkShare * (all - inHeadings);
  };
  for (const element of surroundings) {
    if (hasAncestor(element, surroundings)) continue;
    for (const block of [element, ...element.querySelectorAll(blocks)]) if (isMenu(block)) found.add(block);
  }
  const moved = [...found].filter((element) => !hasAncestor(element, found));
  const size = moved.reduce((sum, element) => sum + getMeasure(element).all, 0);
  if (size < getMeasure(body).all) for (const element of moved) furniture.insertBefore(element, null);
  return furniture;
}

const isNotice = (element: DomElement): boolean =>
  element.querySelector("button, input, a, [role=button]") !== null &&
  element.querySelector("h1, main, article") === null &&
  element.closest("main, article") === null;

function hasAncestor(element: DomElement, others: ReadonlySet<DomElement>): boolean {
  for (let above = element.parentElement; above; above = above.parentElement) if (others.has(above)) return true;
  return false;
}

/** Measures all elements in one pass, children before their parents. Recursion could overflow the stack on deeply nested pages. */
function measure(body: DomElement): Map<DomElement, Measure> {
  const measures = new Map<DomElement, Measure>();
  const order: DomElement[] = [];
  for (const waiting: DomNode[] = [body]; waiting.length > 0; ) {
    const node = waiting.pop() as DomNode;
    if (!isElement(node) || hiddenElements.has(node.tagName)) continue;
    order.push(node);
    for (const child of node.childNodes) waiting.push(child);
  }
  for (const element of order.reverse()) {
    const total: Measure = { ...emptyMeasure, titles: Number(element.tagName === "H1") };
    for (const child of element.childNodes) {
      if (isText(child)) total.all += (child.textContent ?? "").replace(/\s+/g, "").length;
      const inner = isElement(child) ? measures.get(child) : undefined;
      if (inner === undefined) continue;
      for (const key of ["all", "inLinks", "inHeadings", "links", "titles"] as const) total[key] += inner[key];
    }
    if (/^H[2-6]$/.test(element.tagName)) Object.assign(total, { inHeadings: total.all, inLinks: 0, links: 0 });
    const isLink = element.tagName === "A" && !contentLink.test(element.getAttribute("href") ?? "");
    if (isLink && total.all > 0) Object.assign(total, { inLinks: total.all, links: 1, inHeadings: 0 });
    measures.set(element, total);
  }
  return measures;
}
