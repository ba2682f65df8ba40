import { parseHTML } from "linkedom";

/** The part of the DOM used here. TypeScript's own DOM types would add browser globals to the service. */
export interface DomNode {
  readonly nodeType: number;
  readonly parentNode: DomNode | null;
  readonly nextSibling: DomNode | null;
  readonly previousSibling: DomNode | null;
  readonly firstChild: DomNode | null;
  readonly childNodes: Iterable<DomNode>;
  readonly ownerDocument: DomDocument;
  textContent: string | null;
}

export interface DomParent extends DomNode {
  querySelector(selector: string): DomElement | null;
  querySelectorAll(selector: string): Iterable<DomElement>;
  cloneNode(deep: true): DomNode;
}

export interface DomElement extends DomParent {
  readonly tagName: string;
  readonly parentElement: DomElement | null;
  readonly children: { readonly length: number };
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  closest(selector: string): DomElement | null;
  matches(selector: string): boolean;
  insertBefore(node: DomNode, before: DomNode | null): DomNode;
  remove(): void;
}

export interface DomDocument extends DomParent {
  readonly body: DomElement;
  readonly documentElement: DomElement;
  createElement(name: string): DomElement;
  createTextNode(text: string): DomNode;
}

export function isElement(node: DomNode): node is DomElement {
  return node.nodeType === 1;
}

export function isText(node: DomNode): boolean {
  return node.nodeType === 3 || node.nodeType === 4;
}

const softHyphens = /\u00ad|&(?:shy|#0{0,5}173|#x0{0,5}ad);/gi;

/**
 * Parses a page into a document with exactly one `head` and one `body` that contain all of it. linkedom gives an empty body to a page
 * without a head element, for example, so a page with any other structure is parsed again as the content of a plain one. Soft hyphens
 * are removed: readers don't see them, and embedding models and clients treat the parts of such a word as separate words.
 */
export function parsePage(page: string): DomDocument {
  const html = page.replace(softHyphens, "");
  const document = parse(html);
  return hasPlainStructure(document) ? document : parse(`<html><head></head><body>${html}</body></html>`);
}

function parse(html: string): DomDocument {
  return parseHTML(html).document as unknown as DomDocument;
}

function hasPlainStructure(document: DomDocument): boolean {
  const outer = findContentNodes(document);
  const inner = findContentNodes(document.documentElement);
  return listNames(outer) === "HTML" && listNames(inner) === "HEAD BODY";
}

function findContentNodes(parent: DomNode | null): DomNode[] {
  return [...(parent?.childNodes ?? [])].filter(
    (node) => isElement(node) || (isText(node) && node.textContent?.trim()),
  );
}

function listNames(nodes: readonly DomNode[]): string {
  return nodes.map((node) => (isElement(node) ? node.tagName : "text")).join(" ");
}
