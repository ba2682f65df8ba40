import { describe, expect, it } from "vitest";
import { encodeText } from "../../tests/ingest/bytes-in.ts";
import { chunkText } from "../chunk.ts";
import { extractFile } from "./extract.ts";

const page = (body: string, head = "") =>
  `<!doctype html><html lang="en-gb"><head><title>Tea \n guide</title>${head}<style>p{color:red}</style></head><body>${body}</body></html>`;

const read = (html: string, url?: string) => extractFile({ bytes: Buffer.from(html), filename: "page.html", url });

const furniture = `
  <nav><a href="/">Home</a> <a href="/about">About us</a></nav>
  <script>var doNotIndex = 1;</script><noscript>Enable scripts</noscript>
  <header class="banner">Cookies everywhere</header>`;

const story = `
  <h1>Brewing tea</h1>
  <p>Good tea needs <b>fresh</b> water, brought to the right heat, and a pot that has been warmed before the leaves go in.</p>
  <h2>Green tea</h2>
  <p>Green leaves burn at the boil, so let the kettle rest for some minutes first. Read the <a href="../heat?x=1#top">table of heats</a>.</p>
  <ol><li>Warm the pot</li><li>Add leaves<ul><li>two spoons</li></ul></li></ol>
  <p>Then pour the water slowly, wait for two minutes, and share the pot at once, since the second cup is the better one.</p>
  <pre><code>heat(80);
  pour();</code></pre>
  <table><tr><th>Leaf</th><th>Heat</th></tr><tr><td>green</td><td>80 | 85</td></tr></table>`;

const storyMarkdown = `# Brewing tea

Good tea needs fresh water, brought to the right heat, and a pot that has been warmed before the leaves go in.

## Green tea

Green leaves burn at the boil, so let the kettle rest for some minutes first. Read the table of heats. [table of heats](https://tea.example/heat?x=1#top)

1. Warm the pot
2. Add leaves
   - two spoons

Then pour the water slowly, wait for two minutes, and share the pot at once, since the second cup is the better one.

\`\`\`
heat(80);
  pour();
\`\`\`

| Leaf | Heat |
| --- | --- |
| green | 80 \\| 85 |`;

describe("a web page", () => {
  it("gives its main content as Markdown without furniture, with absolute links, title and language", async () => {
    const html = page(`${furniture}<main><article>${story}</article></main><footer>Imprint</footer>`);
    const document = await read(html, "https://tea.example/guides/brewing");
    expect(document).toMatchObject({ title: "Tea guide", language: "en-GB", contentType: "text/html" });
    expect(document.isMainContent).toBe(true);
    expect(document.text).toBe(storyMarkdown);
    expect(document.marks).toEqual([
      { start: 0, heading: "Brewing tea" },
      { start: storyMarkdown.indexOf("## Green"), heading: "Brewing tea > Green tea" },
    ]);
  });

  it("keeps the ranks and numbers of its headings, without the signs beside them that lead to them", async () => {
    const titled = story
      .replace("<h1>Brewing tea</h1>", '<h1>Brewing tea <a href="#brewing">¶</a></h1>')
      .replace(
        "<h2>Green tea</h2>",
        '<h2><span class="header-section-number">1.1</span> Green tea <span class="mw-editsection">[edit]</span></h2>',
      );
    const numbered = storyMarkdown.replace("## Green", "## 1.1 Green");
    const next = `<h1>Boiling water</h1>${story.slice(story.indexOf("<p>"), story.indexOf("<h2>"))}`;
    const html = page(`${furniture}<article>${titled}${next}</article>`).replace(/<title>.*<\/title>/s, "");
    const document = await read(html, "https://tea.example/guides/brewing");
    expect(document.title).toBe("Brewing tea");
    expect(document.text.startsWith(`${numbered}\n\n# Boiling water\n`)).toBe(true);
    const paths = ["Brewing tea", "Brewing tea > 1.1 Green tea", "Boiling water"];
    expect(document.marks.map(({ heading }) => heading)).toEqual(paths);
  });

  it("without main content gives all of its text but navigation, scripts and styles", async () => {
    const { text, isMainContent } = await read(
      page(`${furniture}<div>Open daily from nine.</div><footer>Imprint</footer>`),
      "https://a.example/",
    );
    expect(text).toBe("Cookies everywhere\n\nOpen daily from nine.\n\nImprint");
    expect(isMainContent).toBe(false);
  });

  it("without any words has no text", async () => {
    await expect(
      read(page(`<script>var x = 1;</script><img src="a.png">`), "https://a.example/"),
    ).rejects.toMatchObject({
      code: "no_text",
    });
  });

  it("resolves links by its base element", async () => {
    const html = page('<p>See <a href="b">the other page</a> now.</p>', '<base href="/docs/">');
    expect((await read(html, "https://a.example/x/y")).text).toContain("(https://a.example/docs/b)");
  });

  it("keeps the words of links that lead nowhere or are too many, without targets", async () => {
    const many = Array.from({ length: 9 }, (_, index) => `<a href="https://a.example/${index}">word${index}</a>`).join(
      " ",
    );
    const { text } = await read(
      page(`<p>${many}</p><p>Go <a href="#top">up</a> or <a href="javascript:x()">run</a>.</p>`),
    );
    expect(text).toBe("word0 word1 word2 word3 word4 word5 word6 word7 word8\n\nGo up or run.");
  });

  it("is read in the encoding it declares", async () => {
    const html = '<html><head><meta charset="windows-1251"></head><body><p>\xcf\xf0\xe8\xe2\xe5\xf2</p></body></html>';
    const bytes = () => Buffer.from(html, "latin1");
    expect((await extractFile({ bytes: bytes(), filename: "a.html" })).text).toBe("Привет");
    const late = Buffer.from(html.replace("<head>", `<head><script>${"x".repeat(5_000)}</script>`), "latin1");
    expect((await extractFile({ bytes: late, filename: "a.html" })).text).toBe("Привет");
    const served = await extractFile({ bytes: bytes(), contentType: "text/html; charset=iso-8859-5" });
    expect(served.text).not.toBe("Привет");
  });

  it("is read in its real encoding when its server declares another one", async () => {
    const read = async (encoding: string, html: string) =>
      (await extractFile({ bytes: encodeText(encoding, html), contentType: "text/html; charset=utf-8" })).text;
    expect(await read("windows-1252", "<html><p>Grüße aus München, ça va</p></html>")).toBe("Grüße aus München, ça va");
    expect(await read("windows-1251", '<html><meta charset="windows-1251"><p>мир</p></html>')).toBe("мир");
    const broken = Buffer.concat([Buffer.from("<html><p>Grüße aus München "), Uint8Array.of(0xff)]);
    const { text } = await extractFile({ bytes: broken, contentType: "text/html; charset=utf-8" });
    expect(text).toBe("Grüße aus München \ufffd");
  });
});

describe("an uploaded page", () => {
  it("is taken whole, with what stands beside the content at its end, and never with scripts", async () => {
    const { text } = await read(page(`${furniture}<article>${story}</article>`));
    expect(text.startsWith("Cookies everywhere\n\n# Brewing tea")).toBe(true);
    expect(text.endsWith("Home About us")).toBe(true);
    expect(text).not.toMatch(/doNotIndex|color:red|Enable scripts/);
  });

  it("has its menus and the notice about cookies at the end, where no search finds them, and the rest of its footer", async () => {
    const html = page(`
      <a class="skip-link" href="#main">Skip to content</a>
      <div id="cookieBanner"><p>We use cookies.</p><button>Accept</button></div>
      <header><p>Tea Club <a href="/">Home</a></p><ul class="menu"><li><a href="/news">News</a><li><a href="/join">Join</a></ul></header>
      <main>${story}<ul><li><a href="/a">Warm pots</a><li><a href="/b">Cold pots</a></ul></main>
      <aside><h3>Recent posts</h3><ul><li><a href="/1">First post</a><li><a href="/2">Second post</a></ul></aside>
      <footer><p>Open daily from nine. <a href="mailto:tea@club.example">tea@club.example</a></p>
        <p><a href="/i">Imprint</a> · <a href="/p">Privacy</a></p></footer>`);
    const { text, indexedLength = 0, marks } = await read(html);
    const indexed = text.slice(0, indexedLength);
    expect(indexed).toMatch(
      /^Tea Club Home\n\n# Brewing tea\n.*- Warm pots\n- Cold pots\n\nOpen daily from nine\. tea@club\.example$/s,
    );
    const menus = text.slice(indexedLength);
    for (const words of ["Skip to", "We use cookies", "News", "Second post", "Imprint", "Privacy"]) {
      expect(indexed).not.toContain(words);
      expect(menus).toContain(words);
    }
    expect(chunkText({ text, marks, indexedLength }).at(-1)?.end).toBe(indexedLength);
  });

  it("that is nothing but a menu, or is about cookies, has that as its text", async () => {
    const menu = await read(page('<nav><a href="/a">Teas</a> <a href="/b">Pots</a></nav>'));
    expect(menu).toMatchObject({ text: "Teas Pots" });
    expect(menu.indexedLength).toBeUndefined();
    const recipe =
      '<div class="cookie-recipe"><h1>Cookies</h1><p>Bake for ten minutes. <a href="/c">More</a></p></div>';
    expect((await read(page(recipe))).indexedLength).toBeUndefined();
  });

  it("may be a fragment, unclosed, or full of comments", async () => {
    expect((await read("<p>one<p>two<table><tr><td>a<td>b<!-- hidden -->")).text).toBe(
      "one\n\ntwo\n\n| a | b |\n| --- | --- |",
    );
  });

  it("keeps formulas and an office program's notes on words in their sentence", async () => {
    const formula =
      '<math><semantics><mrow><mi>E</mi><mo>=</mo><msup><mi>c</mi><mn>2</mn></msup></mrow><annotation encoding="application/x-tex">E=c^2</annotation></semantics></math>';
    const { text } = await read(`<p>In <st1:place>Bern</st1:place> he wrote ${formula}, it is said.<o:p></o:p></p>`);
    expect(text).toBe("In Bern he wrote E=c², it is said.");
  });

  it("keeps a value apart from the label beside it, where only a style does", async () => {
    const dish = `<div><span class="dish">Cheese tart</span><span class="price">6.00</span></div>`;
    expect((await read(dish)).text).toBe("Cheese tart 6.00");
    expect((await read("<p>Call <code><span>run</span><span>2</span></code> H<sub>2</sub>O</p>")).text).toContain(
      "run2",
    );
  });

  it("keeps a value in the line of its term, but a paragraph apart from it", async () => {
    const menu = "<dl><dt>Soup</dt> <dd>4.00</dd>\n<dt>Tea</dt><dd>2.50</dd><dt>Open?</dt><dd>Daily.</dd></dl>";
    expect((await read(menu)).text).toBe("Soup: 4.00\n\nTea: 2.50\n\nOpen?\n\nDaily.");
    expect((await read("<dl><dt>Tea</dt><dd><p>A drink.</p></dd></dl>")).text).toBe("Tea\n\nA drink.");
  });

  it("keeps a value whose parts stand in cells around a slash in one piece, also in UTF-16", async () => {
    const rows = "<tr><td>Supply<td>3.3 V<td>/<td>5 V<tr><td>Range<td>-40 °C</td>/<td>85 °C</td>";
    const bytes = Buffer.from(`\ufeff<!doctype html><title>Datasheet</title><table>${rows}</table>`, "utf16le");
    const { text } = await extractFile({ bytes, filename: "datasheet.html" });
    expect(text).toBe("| Supply | 3.3 V / 5 V |\n| --- | --- |\n| Range | -40 °C / 85 °C |");
    expect((await read("<table><tr><td>/<td>root<tr><td>usr<td>/</table>")).text).toBe(
      "| / | root |\n| --- | --- |\n| usr | / |",
    );
  });

  it("keeps the words of a table that stand between its rows and cells", async () => {
    const html = "<table>Prices <b>in euro</b><tr><td>tea<td>2</tr>and<tbody>more<tr>new<td>coffee</table>";
    expect((await read(html)).text).toBe("Prices in euro and more\n\n| tea | 2 |\n| --- | --- |\n| new | coffee |");
  });

  it("repeats a cell in all rows and columns that it spans, and joins the rows of its header", async () => {
    const head = "<thead><tr><th rowspan=2>City<th colspan=2>Sales<tr><th>2025<th>2026</thead>";
    const rows = "<tr><td rowspan=2>Bern<td>1<td>2<tr><td colspan=2>none<tr><td>Graz<td>3<td>4";
    const { text } = await read(`<table>${head}${rows}</table>`);
    expect(text.split("\n")).toEqual([
      "| City | Sales 2025 | Sales 2026 |",
      "| --- | --- | --- |",
      "| Bern | 1 | 2 |",
      "| Bern | none | none |",
      "| Graz | 3 | 4 |",
    ]);
  });

  it("has a title that spans a table's columns above the table, and no columns that only spans make", async () => {
    const { text } = await read(
      "<table><tr><th colspan=4>Prices<tr><th colspan=2>Tea<th colspan=2>Euro<tr><td colspan=2>green<td colspan=2>2</table>",
    );
    expect(text).toBe("Prices\n\n| Tea | Euro |\n| --- | --- |\n| green | 2 |");
  });

  it.each([
    [
      "opening hours",
      "<tr><td>Montag-Freitag<td>9:00<td>12:30<tr><td>Samstag<td colspan=2>geschlossen",
      [
        "|  |  |  |",
        "| --- | --- | --- |",
        "| Montag-Freitag | 9:00 | 12:30 |",
        "| Samstag | geschlossen | geschlossen |",
      ],
    ],
    [
      "opening hours below a title",
      "<tr><th colspan=2>Öffnungszeiten<tr><td>Mo<td>9-12<tr><td>Di<td>10-12",
      ["Öffnungszeiten", "", "|  |  |", "| --- | --- |", "| Mo | 9-12 |", "| Di | 10-12 |"],
    ],
    [
      "rows with names",
      "<tr><th>Inhaberin<td>Anna Weiß<tr><th>Sitz<td>Köln",
      ["|  |  |", "| --- | --- |", "| Inhaberin | Anna Weiß |", "| Sitz | Köln |"],
    ],
  ])("takes no data for the names of columns: %s", async (_, rows, expected) => {
    expect((await read(`<table>${rows}</table>`)).text.split("\n")).toEqual(expected);
  });

  it.each([
    ["by a bold row", "<tr><td><b>Tag</b><td><strong>9:00</strong><tr><td>Montag<td>Yoga", "| Tag | 9:00 |"],
    ["by a row of short names", "<tr><td>Stadt<td>2025<tr><td>Köln<td>1500", "| Stadt | 2025 |"],
    ["beside an empty corner", "<tr><td>&nbsp;</td><th>9:00</th><tr><th>Montag</th><td>Yoga", "|  | 9:00 |"],
  ])("names its columns %s", async (_, rows, header) => {
    expect((await read(`<table>${rows}</table>`)).text.split("\n")).toEqual([
      header,
      "| --- | --- |",
      expect.any(String),
    ]);
  });

  it("can't fill memory with cells that span millions of others", async () => {
    const wide = `<tr>${"<td rowspan=65534 colspan=1000>x<td>y".repeat(100)}`;
    const { text } = await read(`<table>${wide}${"<tr><td>z".repeat(20_000)}</table>`);
    expect(text.length).toBeLessThan(5_000_000);
  });

  it.each([
    ["10<sup>16</sup> m<sup>-2</sup>, x<sup>n+1</sup>", "10^16 m⁻², x^(n+1)"],
    ["5 km<sup>2</sup> of land<sup>2</sup>", "5 km² of land^2"],
    ["H<sub>2</sub>O, 1010<sub>2</sub>, x<sub>i</sub>", "H2O, 1010_2, xi"],
    ["the 1<sup>st</sup> Brand<sup>®</sup> M<sup>me</sup> said<sup>[1]</sup>", "the 1st Brand® Mme said[1]"],
    ["<math><msup><mn>10</mn><mn>16</mn></msup></math>", "10^16"],
    ["<math><mn>2</mn><mfrac><mn>1</mn><mn>2</mn></mfrac></math> cups", "2 1/2 cups"],
    ["<math><mfrac><mrow><mi>a</mi><mo>+</mo><mi>b</mi></mrow><msqrt><mn>3</mn></msqrt></mfrac></math>", "(a+b)/√3"],
    ["<math><msubsup><mn>10</mn><mn>2</mn><mn>8</mn></msubsup></math>", "10_2^8"],
    ['10<span style="font-size: 6pt; vertical-align: super">16</span>', "10^16"],
    ['10<span style="vertical-align:sub">2</span> and <b style="vertical-align:super-script">3</b>', "10_2 and 3"],
  ])("keeps what is raised or lowered apart: %s", async (html, expected) => {
    expect((await read(`<p>${html}</p>`)).text).toBe(expected);
    expect((await read(`<table><tr><td>${html}<td>b</table>`)).text).toContain(`| ${expected} |`);
  });

  it("numbers a list from where it starts", async () => {
    expect((await read("<ol start=3><li>c<li>d</ol>")).text).toBe("3. c\n4. d");
  });

  it("doesn't hold what its author struck out or hid", async () => {
    const hidden =
      '<p hidden>a</p><p style="color:red; display : none">b</p><p style="visibility:hidden">c</p><template>d</template><span style="text-decoration: red line-through">e</span>';
    const { text } = await read(`<p>Now <del>80</del><s>70</s> 60 euro.</p>${hidden}<p hidden="until-found">More.</p>`);
    expect(text).toBe("Now 60 euro.\n\nMore.");
  });

  it("loses hyphens that only may be, as a Word document does", async () => {
    const { text, title } = await read(
      "<h1>Liefer&shy;frist</h1><p>Ver&#173;sand&#xAD;kos\u00adten, <code>&amp;shy;</code></p>",
    );
    expect(text).toBe("# Lieferfrist\n\nVersandkosten, &shy;");
    expect(title).toBe("Lieferfrist");
  });

  it("that uses tables for its columns keeps the headings and lists in them", async () => {
    const old = "<table><tr><td>Menu<td><h1>Tea</h1><p>Warm the pot.<ul><li>one<li>two</ul></table>";
    expect((await read(old)).text).toBe("Menu\n\n# Tea\n\nWarm the pot.\n\n- one\n- two");
    const column = "<table><tr><td><p>First.<p>Second.</td></tr><tr><td>Third.</td></tr></table>";
    expect((await read(column)).text).toBe("First.\n\nSecond.\n\nThird.");
  });

  it("may leave its head out, repeat its body, or begin with a comment", async () => {
    const odd =
      '<!-- saved --><html lang="de"><title>T</title>zero<p>one</p><body>two</body><body><p>three</p></body></html>four';
    expect(await read(odd)).toMatchObject({ title: "T", language: "de", text: "zero\n\none\n\ntwo\n\nthree\n\nfour" });
  });

  it("whose head isn't closed, because a script in it isn't, is read from where its text begins", async () => {
    const html = `<html><head><title>Offer</title><script src="a.js"></head><body><script>b();</script>
      <head><link href="c.css"></head><h2>Offer</h2><p>Rooms for two.</p></body></html>`;
    expect(await read(html)).toMatchObject({ title: "Offer", text: "## Offer\n\nRooms for two." });
  });

  it("is told by its content when the name says nothing", async () => {
    const document = await extractFile({ bytes: Buffer.from(page("<p>Hello</p>")) });
    expect(document).toMatchObject({ text: "Hello", contentType: "text/html" });
  });

  it("is told from a text of many comments at once", async () => {
    const document = await extractFile({ bytes: Buffer.from(`${"<!---->".repeat(60)}x html`) });
    expect(document).toMatchObject({ contentType: "text/plain" });
  });

  it("can be nested deeper than any stack", async () => {
    expect((await read(`${"<div>".repeat(5_000)}deep`)).text).toBe("deep");
    expect((await read(`${"<table><tr><td>".repeat(600)}deep`)).text).toContain("deep");
  });
});
