import fc from "fast-check";
import { parseHTML } from "linkedom";
import markdownIt from "markdown-it";
import { marked } from "marked";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";
import { describe, expect, test } from "vitest";
import { renderProductTable } from "./table.ts";
import { oneLine } from "./text.ts";

// What a product says of itself, in the tables that real Markdown renderers make of it.

interface RenderedTable {
  /** The visible text of each cell. */
  rows: string[][];
  /** The addresses of all links, in their order. */
  links: string[];
  /** The names of all other elements within cells. */
  markup: string[];
}

function readHtml(html: string): RenderedTable {
  const { document } = parseHTML(`<html><body>${html}</body></html>`);
  const outside = [...document.body.children].filter(({ localName }) => localName !== "table");
  const within = [...document.querySelectorAll("td *")];
  return {
    rows: [...document.querySelectorAll("tbody tr")].map(({ children }) =>
      [...children].map((cell) => cell.textContent),
    ),
    links: within.filter(({ localName }) => localName === "a").map((link) => link.getAttribute("href") ?? ""),
    markup: [...outside, ...within.filter(({ localName }) => localName !== "a")].map(({ localName }) => localName),
  };
}

interface Node {
  type: string;
  value?: string;
  url?: string;
  children?: Node[];
}

/** What remark-gfm, and so react-markdown, reads. */
function readTree(markdown: string): RenderedTable {
  const tree: Node = fromMarkdown(markdown, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const all = (node: Node): Node[] => [node, ...(node.children ?? []).flatMap(all)];
  const text = (node: Node): string => node.value ?? (node.children ?? []).map(text).join("");
  const nodes = all(tree);
  const rows = nodes.filter(({ type }) => type === "tableRow").slice(1);
  const plain = new Set(["root", "table", "tableRow", "tableCell", "text", "link"]);
  return {
    rows: rows.map(({ children = [] }) => children.map(text)),
    links: nodes.flatMap(({ type, url }) => (type === "link" ? [url ?? ""] : [])),
    markup: nodes.map(({ type }) => type).filter((type) => !plain.has(type)),
  };
}

const linkifying = markdownIt({ html: true, linkify: true });
linkifying.linkify.set({ fuzzyLink: true, fuzzyEmail: true });
const renderers: [name: string, render: (markdown: string) => RenderedTable][] = [
  ["marked", (markdown) => readHtml(marked.parse(markdown, { async: false }))],
  ["markdown-it with linkify", (markdown) => readHtml(linkifying.render(markdown))],
  ["remark-gfm", readTree],
];

const page = "https://listing.example/posts/x";
const withoutJoiners = (text: string) => text.replaceAll("\u2060", "");

/** Expects that a product's texts are shown as they are, and do nothing else. */
function expectPlain(render: (markdown: string) => RenderedTable, name: string, tagline: string, url = page): void {
  const product = { id: "1", votesCount: 12, name, tagline, url };
  const { rows, links, markup } = render(
    renderProductTable([product, { ...product, name: "Mossgrid", tagline: "Waters" }]),
  );
  const shown = (text: string, max: number) => withoutJoiners(oneLine(text, max));
  expect(rows.map((row) => row.map(withoutJoiners))).toEqual([
    ["1", shown(name, 60), shown(tagline, 100) || "–", "12"],
    ["2", "Mossgrid", "Waters", "12"],
  ]);
  expect(markup).toEqual([]);
  expect(links.filter((link) => !/^https:\/\/listing\.example\/posts\/[^\s)|]*$/.test(link))).toEqual([]);
  expect(links.length).toBeLessThanOrEqual(2);
}

const hostile = [
  "[!\\[img\\](https://evil.example/p.png)](https://evil.example)",
  "[![img](https://evil.example/p.png)](https://evil.example)",
  "![pic](https://evil.example/p.png)",
  "![pic][1] [1]: https://evil.example",
  "www.evil.example",
  "see https://evil.example/a?b=c&d=e.",
  "HTTP://EVIL.EXAMPLE",
  "https\\://evil.example",
  "ftp://evil.example/x",
  "//evil.com/x",
  "mailto:me@evil.example",
  "xmpp:me@evil.example/x",
  "write to me.too+x@evil.example!",
  "evil.com and Booking.com, made in Notion.so",
  "<https://evil.example> <me@evil.example>",
  '<img src=x onerror="alert(1)"><b>bold</b><!-- x --><?php ?><![CDATA[x]]>',
  "&lt;b&gt; &#60;b&#62; &amp;lt; &copy &nbsp;",
  "a footnote[^1] [^1]: here",
  "~~gone~~ ~one~ ==mark== __b__ *i* `code` ``co`de``",
  "a | b \\| c \\\\| d",
  "one\ntwo\r\n\n| 1 | x | y | 9 |\n| --- | --- |",
  "- [ ] task 1. one > quote # title",
  "trailing \\",
  "\\",
  "!",
  "a!",
  "x](https://evil.example) [y",
  ":smile: $x$ {{ y }} <% z %>",
];

describe.each(renderers)("%s", (_name, render) => {
  test.each(hostile)("shows %j as it is", (text) => {
    expectPlain(render, text, text);
    expectPlain(render, text, text, "javascript:alert(1)");
  });

  test("shows every combination of such pieces unchanged", () => {
    const pieces = hostile.flatMap((text) => [text, ...text.split(/(?<=[\W_])|(?=[\W_])/)]);
    const piece = fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...new Set(pieces)) },
      { weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 3 }) },
    );
    const text = fc.array(piece, { minLength: 1, maxLength: 12 }).map((parts) => parts.join(""));
    const url = fc.oneof(
      fc.constantFrom(page, "", "javascript:alert(1)"),
      text.map((part) => `https://listing.example/posts/${part}`),
    );
    fc.assert(
      fc.property(text, text, url, (name, tagline, address) => expectPlain(render, name, tagline, address)),
      { numRuns: 300 },
    );
  });
});
