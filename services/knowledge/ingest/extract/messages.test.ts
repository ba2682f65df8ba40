import { pdf } from "@agent-backends/testing";
import { describe, expect, it } from "vitest";
import { defaultExtractionLimits, extractFile } from "./extract.ts";

const read = (content: string, filename?: string, contentType?: string) =>
  extractFile({ bytes: Buffer.from(content), filename, contentType });

const boundary = "----=_part";
const part = (headers: string[], body: string) => ["", `--${boundary}`, ...headers, "", body].join("\r\n");
const base64 = (content: string | Uint8Array) => Buffer.from(content).toString("base64");
const attachment = (filename: string, type: string, content: string | Uint8Array) =>
  part(
    [
      `Content-Type: ${type}`,
      `Content-Disposition: attachment; filename="${filename}"`,
      "Content-Transfer-Encoding: base64",
    ],
    base64(content),
  );

const message = (parts: string[], subject = "Budget") =>
  [
    `Subject: ${subject}`,
    "From: =?utf-8?Q?J=C3=BCrgen?= <j@a.example>",
    "To: Ann <ann@a.example>, team@a.example",
    "Date: Wed, 16 Jul 2025 09:24:06 +0300",
    "MIME-Version: 1.0",
    `Content-Type: multipart/mixed; boundary="${boundary}"`,
    "",
    parts.join(""),
    `--${boundary}--`,
  ].join("\r\n");

const plain = part(
  ["Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: quoted-printable"],
  "Caf=C3=A9 costs 12.",
);
const html = part(["Content-Type: text/html"], "<p>A <b>long</b> page.</p><table><tr><th>a<th>b<tr><td>1<td>2</table>");

describe("an e-mail", () => {
  it("is its headers and its body", async () => {
    const document = await read(message([plain]), "budget.eml");
    expect(document).toMatchObject({ title: "Budget", contentType: "message/rfc822" });
    expect(document.text).toBe(
      "Subject: Budget\nFrom: Jürgen <j@a.example>\nTo: Ann <ann@a.example>, team@a.example\nDate: 2025-07-16T09:24:06+03:00\n\nCafé costs 12.",
    );
  });

  it("is told by its headers when its name says nothing, and may begin with a mailbox's line", async () => {
    expect((await read(message([plain]), "budget.txt")).contentType).toBe("message/rfc822");
    expect((await read(`From 12@xxx Wed Jul 16 06:24:10 +0000 2008\r\n${message([plain])}`, "a.eml")).title).toBe(
      "Budget",
    );
    expect((await read("Note: words\nof a text\n\nMIME-Version: 1.0", "a.txt")).contentType).toBe("text/plain");
  });

  it("that has no text but HTML is read as a page", async () => {
    const { text } = await read(message([html]), "budget.eml");
    expect(text).toContain("\n\nA long page.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |");
  });

  it("holds the text of its attachments under their names, and the reason why one can't be read", async () => {
    const parts = [
      plain,
      attachment("plan.pdf", "application/pdf", pdf([["First page"], ["Second page"]])),
      attachment("photo.png", "image/png", Uint8Array.of(0x89, 0x50, 0x4e, 0x47)),
      attachment("more.eml", "message/rfc822", message([plain], "Inner")),
    ];
    const { text, marks } = await read(message(parts), "budget.eml");
    expect(text).toContain("## Attachment: plan.pdf\n\nFirst page\n\nSecond page");
    expect(text).toContain(
      "The attachment photo.png was not read. The file is a PNG image, which has no readable text",
    );
    expect(text).toContain("## Attachment: more.eml\n\nSubject: Inner");
    expect(text).not.toContain(base64("First").slice(0, 4));
    const page = marks.find(({ page }) => page === 2);
    expect(page?.heading).toBe("plan.pdf");
    expect(text.slice(page?.start)).toMatch(/^Second page/);
  });

  it("leaves out signatures", async () => {
    const signatures = ["pgp-signature", "pkcs7-signature"].map((type) =>
      attachment("signature", `application/${type}`, "-----BEGIN PGP SIGNATURE-----"),
    );
    expect((await read(message([plain, ...signatures]), "a.eml")).text).toMatch(/Café costs 12\.$/);
  });

  it.each(["multipart/encrypted; boundary=x", "application/pkcs7-mime; smime-type=enveloped-data"])(
    "is refused when it is encrypted: %s",
    async (type) => {
      const encrypted = `From: a@a.example\r\nMIME-Version: 1.0\r\nContent-Type: ${type}\r\n\r\n--x\r\n\r\nVersion: 1\r\n--x--`;
      await expect(read(encrypted, "a.eml")).rejects.toMatchObject({ code: "encrypted" });
    },
  );

  it("is refused when it has too many attachments, parts or nested messages", async () => {
    const many = message(Array.from({ length: 101 }, (_, index) => attachment(`${index}.txt`, "text/plain", "x")));
    await expect(read(many, "a.eml")).rejects.toMatchObject({ code: "too_large" });
    let nested = message([plain]);
    for (let level = 0; level < 6; level++)
      nested = message([attachment("in.eml", "application/octet-stream", nested)]);
    expect((await read(nested, "a.eml")).text).toContain("more than 3 deep");
    const open = Array.from(
      { length: 300 },
      (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\r\n\r\n--b${level}\r\n`,
    );
    await expect(read(`Subject: x\r\n${open.join("")}`, "a.eml")).rejects.toMatchObject({ code: "damaged" });
  });

  it.each([
    ["Thu, 12 Nov 2026 00:12:00 -0530 (IST)", "2026-11-12T00:12:00-05:30"],
    ["Thu, 12 Nov 2026 09:12:00 GMT", "2026-11-12T09:12:00.000Z"],
    ["Brumaire 21 +0100", "Brumaire 21 +0100"],
    ["Sat, 13 Sep 275760 10:00:00 +1400", "+275760-09-12T20:00:00.000Z"],
  ])("has the sender's local time: %s", async (date, expected) => {
    const { text } = await read(`Subject: x\r\nDate: ${date}\r\nMIME-Version: 1.0\r\n\r\nHello.`, "a.eml");
    expect(text).toContain(`Date: ${expected}\n`);
  });

  it.each([
    ["that of its body", "windows-1252", "Termin R\xf6sterei", "Termin Rösterei"],
    ["one that nothing names", "utf-8", "Termin R\xf6sterei", "Termin Rösterei"],
    ["that of its body in Cyrillic", "windows-1251", "\xd1\xf7\xb8\xf2", "Счёт"],
  ])("may have headers in another encoding: %s", async (_, charset, sent, subject) => {
    const headers = [`Subject: ${sent}`, `From: ${sent} <m@a.example>`, `Content-Type: text/plain; charset=${charset}`];
    const bytes = Buffer.from([...headers, "MIME-Version: 1.0", "", "Bis bald."].join("\r\n"), "latin1");
    const { title, text } = await extractFile({ bytes, filename: "termin.eml" });
    expect(title).toBe(subject);
    expect(text).toBe(`Subject: ${subject}\nFrom: ${subject} <m@a.example>\n\nBis bald.`);
  });

  it("in Outlook's own format is refused with what to do", async () => {
    const signature = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
    const bytes = Buffer.concat([signature, Buffer.alloc(504), Buffer.from("__properties_version1.0", "utf16le")]);
    await expect(extractFile({ bytes, filename: "termin.msg" })).rejects.toMatchObject({
      code: "unsupported",
      message: "The file is a message in Outlook's own format; save it as .eml.",
    });
  });

  it("of many is refused with what to do", async () => {
    const mailbox = `From a@b.example Wed Jul 16 06:24:10 2008\nSubject: x\n\nHello\n`;
    await expect(read(mailbox.repeat(3), "in.mbox")).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining(".eml"),
    });
  });
});

describe("XML", () => {
  it("that is an RSS feed gives its entries under headings, without markup", async () => {
    const rss = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x "y">]><rss version="2.0"><channel><title>News &amp; more</title><link>https://a.example/</link>
      <item><title>One</title><link>https://a.example/1</link><pubDate>Wed, 16 Jul 2025</pubDate><description>Short</description>
      <content:encoded xmlns:content="c"><![CDATA[<p>Long <b>text</b></p><script>x()</script><p>and more</p>]]></content:encoded></item>
      <item><title>Two</title></item></channel></rss>`;
    for (const document of [
      await read(rss, "a.rss"),
      await read(rss, "a.xml"),
      await read(rss, undefined, "text/xml"),
    ]) {
      expect(document).toMatchObject({ title: "News & more", contentType: "application/rss+xml" });
      expect(document.text).toBe(
        "# News & more\n\nhttps://a.example/\n\n## One\n\nWed, 16 Jul 2025 · https://a.example/1\n\nLong text\n\nand more\n\n## Two",
      );
      expect(document.marks.at(-1)?.heading).toBe("News & more > Two");
    }
  });

  it("that is an Atom feed gives its entries under headings", async () => {
    const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Blog</title><entry><title type="html">A &amp;lt; B</title><link href="https://a.example/1"/><author><name>Ann</name></author><updated>2026-01-02</updated>
      <content type="xhtml"><div><p>First.</p><p>Second.</p></div></content></entry></feed>`;
    const { text } = await read(atom, "a.atom");
    expect(text).toBe("# Blog\n\n## A < B\n\n2026-01-02 · Ann · https://a.example/1\n\nFirst. Second.");
  });

  it("of another kind gives its words", async () => {
    const xml = `<?xml version="1.0"?><book id="b1"><title>Tea</title><para>Warm the <em>pot</em> first.</para><n>1</n><n>2</n></book>`;
    expect(await read(xml, "tea.docbook")).toMatchObject({
      text: "Tea\nWarm the pot first.\n1\n2",
      contentType: "application/xml",
    });
    expect((await read("<html><p>x</p></html>", "a.xml")).contentType).toBe("text/html");
  });

  it("that only lists addresses is refused with what to do, and so is damaged XML", async () => {
    const sitemap = `<?xml version="1.0"?><urlset xmlns="s"><url><loc>https://a.example/</loc></url></urlset>`;
    await expect(read(sitemap, "sitemap.xml")).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("type url"),
    });
    await expect(read("<rss><channel>", "a.rss")).rejects.toMatchObject({ code: "damaged" });
    await expect(read('<?xml version="1.0"?><a b="c"/>', "a.xml")).rejects.toMatchObject({ code: "no_text" });
  });
});

describe("a notebook", () => {
  const notebook = (cells: unknown[]) =>
    JSON.stringify({ cells, metadata: { language_info: { name: "python" } }, nbformat: 4 });

  it("is its text, its code and what that printed, without pictures", async () => {
    const image = base64("picture".repeat(100));
    const cells = [
      { cell_type: "markdown", source: ["# Sales\n", "Of 2026."] },
      {
        cell_type: "code",
        source: "print(total)",
        outputs: [
          { output_type: "stream", text: ["42\n"] },
          { output_type: "display_data", data: { "image/png": image, "text/plain": "<Figure>" } },
        ],
      },
    ];
    const document = await read(notebook(cells), "sales.ipynb");
    expect(document).toMatchObject({ title: "Sales", contentType: "application/x-ipynb+json" });
    expect(document.text).toBe(
      "# Sales\nOf 2026.\n\n```python\nprint(total)\n```\n\n```\n42\n```\n\n```\n<Figure>\n```",
    );
  });

  it("is refused when it is empty, no JSON, or of an old format", async () => {
    const reasons = [
      [notebook([]), "no_text"],
      ["{", "damaged"],
      ['{"worksheets":[]}', "unsupported"],
    ] as const;
    for (const [json, code] of reasons) await expect(read(json, "a.ipynb")).rejects.toMatchObject({ code });
  });
});

it("reads all of these within the limits of a text's length", async () => {
  const limits = { ...defaultExtractionLimits, maxTextCharacters: 10 };
  for (const [content, filename] of [
    [message([plain]), "a.eml"],
    ["<rss><channel><title>A long title</title></channel></rss>", "a.rss"],
  ] as const) {
    await expect(extractFile({ bytes: Buffer.from(content), filename }, limits)).rejects.toMatchObject({
      code: "too_large",
    });
  }
});
