import { describe, expect, it } from "vitest";
import { encodeText } from "../../tests/ingest/bytes-in.ts";
import { decodePieces } from "./encoding/decode.ts";
import { defaultExtractionLimits, extractFile } from "./extract.ts";
import { readMarkdown } from "./formats/markdown.ts";
import { readPlainText } from "./formats/plain-text.ts";

const utf16 = (text: string) => new Uint8Array(Buffer.from(text, "utf16le"));

async function extractText(bytes: Uint8Array, filename = "note.txt", contentType?: string): Promise<string> {
  return (await extractFile({ bytes, filename, contentType })).text;
}

describe("text files", () => {
  it("are read in UTF-8, with and without a byte order mark", async () => {
    expect(await extractText(Buffer.from("Grüße, 世界 😀"))).toBe("Grüße, 世界 😀");
    expect(await extractText(Buffer.from("\ufeffGrüße"))).toBe("Grüße");
  });

  it("are read in UTF-8 wherever a long text is cut to be read a piece at a time", () => {
    for (const before of [1, 2, 3, 4]) {
      const text = `${"x".repeat(256 * 1024 - before)}😀日ß`;
      const bytes = Buffer.from(text);
      const source = { size: bytes.byteLength, read: (from: number, to: number) => bytes.subarray(from, to) };
      expect([...decodePieces(source)].join("") === text).toBe(true);
    }
  });

  it("are read in UTF-16 and UTF-32 by their byte order mark, and in UTF-16 by its zero bytes", async () => {
    expect(await extractText(utf16("\ufeffGrüße 世界"))).toBe("Grüße 世界");
    expect(await extractText(new Uint8Array(Buffer.from(utf16("\ufeffGrüße")).swap16()))).toBe("Grüße");
    expect(await extractText(utf16("plain words without a mark"))).toBe("plain words without a mark");
    const codes = [..."\ufeffHi 😀"].map((character) => character.codePointAt(0) ?? 0);
    expect(await extractText(new Uint8Array(Uint32Array.from(codes).buffer))).toBe("Hi 😀");
  });

  it("are read in the declared encoding, else in windows-1252 when they are not UTF-8", async () => {
    expect(await extractText(Uint8Array.of(0xd0, 0xd1), "a.txt", "text/plain; charset=koi8-r")).toBe("пя");
    expect(await extractText(Buffer.from("caf\xe9 \x80 5", "latin1"))).toBe("café € 5");
  });

  it("are read in the legacy encoding that their bytes show, when they are not UTF-8", async () => {
    const texts = {
      // Shift_JIS, ISO-2022-JP, GBK, Big5 and EUC-KR
      "96bc914f2c944e97ee0a8db293a12c33302c938c8b9e": "名前,年齢\n佐藤,30,東京",
      "1b2442456c357e1b2842": "東京",
      d0d5c3fb2cb3c7cad00ac0eec0d72cc9cfbaa3: "姓名,城市\n李雷,上海",
      a96da6572cabb0a5ab0aa7f5b9702cb0aab6af: "姓名,城市\n李雷,高雄",
      c0ccb8a72cb5b5bdc30ab1e8c3b6bcf62cbcadbfef: "이름,도시\n김철수,서울",
      // windows-1251 and KOI8-R
      cff0e8e2e5f220cce8f0: "Привет Мир",
      f0d2c9d7c5d420edc9d2: "Привет Мир",
    };
    for (const [hex, text] of Object.entries(texts)) expect(await extractText(Buffer.from(hex, "hex"))).toBe(text);
  });

  it.each([
    ["windows-1250", "Zażółć gęślą jaźń. Příliš žluťoučký kůň?"],
    ["windows-1250", "Jučer je u Zagrebu sjalo sunce, a danas šećer."],
    ["iso-8859-2", "Wczoraj w Łodzi świeciło słońce, powiedział sąsiad."],
    ["iso-8859-2", "Árvíztűrő tükörfúrógép, hűvös szél."],
    ["windows-1251", "Вчора в Києві світило сонце. Її їжак."],
    ["koi8-u", "Вчора в Києві світило сонце. Її їжак."],
    ["windows-1254", "Dün İstanbul'da güneş parlıyordu, değil mi?"],
    ["windows-1257", "Vakar Vilniuje švietė saulė, o šiandien sninga."],
    ["windows-874", "เมื่อวานนี้ที่กรุงเทพฯ แดดออก"],
    ["macintosh", "Die Straße führt über die Brücke. Ärzte."],
    ["windows-1252", "René Müller, François, José Nuñez, Søren"],
    ["windows-1252", "Price: 5 € – it’s done"],
  ])("in %s are read so: %s", async (encoding, text) => {
    expect(await extractText(encodeText(encoding, text))).toBe(text);
    // What words are in is far from the beginning of a table or a program.
    const table = "insert into words values (1, 'abc');\n".repeat(3_000);
    const bytes = encodeText(encoding, table + text);
    expect(await extractText(bytes)).toBe(table + text);
    const source = { size: bytes.byteLength, read: (from: number, to: number) => bytes.subarray(from, to) };
    expect([...decodePieces(source)].join("")).toBe(table + text);
  });

  it("of DOS, and of Chinese and Japanese in UTF-16 without a mark, are read", async () => {
    expect(await extractText(Buffer.from("476c81636b2c20477294e1652c209a62756e67", "hex"))).toBe("Glück, Größe, Übung");
    const japanese = "昨日、東京では太陽が輝いていました。\n商品名、価格";
    expect(await extractText(utf16(japanese))).toBe(japanese);
    expect(await extractText(new Uint8Array(Buffer.from(utf16(japanese)).swap16()))).toBe(japanese);
  });

  it("of XML are read in the encoding that they declare, unless it can't be", async () => {
    const xml = '<?xml version="1.0" encoding="windows-1251"?><a>мир</a>';
    expect(await extractText(encodeText("windows-1251", xml), "a.xml")).toBe("мир");
    expect(await extractText(Buffer.from('<?xml version="1.0" encoding="UTF-16"?><a>ü</a>'), "a.xml")).toBe("ü");
  });

  it("may be a log full of colours", async () => {
    expect(await extractText(Buffer.from("\x1b[31mred\x1b[0m words\n".repeat(20)), "a.log")).toContain("words");
  });

  it("are read in UTF-32 and UTF-16 without a mark, of other scripts too", async () => {
    const codes = [..."Hi 😀 ünï"].map((character) => character.codePointAt(0) ?? 0);
    expect(await extractText(new Uint8Array(Uint32Array.from(codes).buffer))).toBe("Hi 😀 ünï");
    expect(await extractText(utf16("Все люди рождаются свободными"))).toBe("Все люди рождаются свободными");
  });

  it("keep their other letters when a few bytes are broken", async () => {
    expect(await extractText(Buffer.concat([Buffer.from("Grüße 😀 "), Uint8Array.of(0xff), Buffer.from(" end")]))).toBe(
      "Grüße 😀 \ufffd end",
    );
  });

  it("may be source code, JSON, CSV or of an unknown kind", async () => {
    expect(await extractText(Buffer.from('{"a": 1}\r\n'), "data.json")).toBe('{"a": 1}');
    expect(await extractText(Buffer.from("let x = 1;"), "main.zz")).toBe("let x = 1;");
    const csv = await extractFile({ bytes: Buffer.from("a,b\n1,2\n"), filename: "table.csv" });
    expect(csv).toMatchObject({ text: "a,b\n1,2", contentType: "text/csv" });
  });

  it("are refused when empty, blank, or no text at all", async () => {
    await expect(extractText(new Uint8Array())).rejects.toMatchObject({ code: "empty" });
    await expect(extractText(Buffer.from(" \r\n\t "))).rejects.toMatchObject({ code: "empty" });
    await expect(extractText(Uint8Array.from({ length: 300 }, (_, index) => index % 32))).rejects.toMatchObject({
      code: "unsupported",
    });
    await expect(extractText(Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), "a.txt")).rejects.toMatchObject({
      code: "unsupported",
      message: expect.stringContaining("PNG"),
    });
    const picture = Buffer.concat([
      Buffer.from("BM\x36\x10\x0e\0\0\0\0\0\x36\0\0\0", "latin1"),
      Buffer.alloc(9_000, 0xff),
    ]);
    await expect(extractText(picture, "a.bmp")).rejects.toMatchObject({ code: "unsupported" });
  });

  it("longer than the limit are refused, which is named", async () => {
    const limits = { ...defaultExtractionLimits, maxTextCharacters: 100 };
    await expect(extractFile({ bytes: Buffer.from("x".repeat(101)) }, limits)).rejects.toMatchObject({
      code: "too_large",
      message: expect.stringContaining("100 characters"),
    });
  });
});

describe("plain text", () => {
  const listHeadings = (text: string) => readPlainText(text).marks.map(({ start, heading }) => [start, heading]);

  it("has its underlined headings marked with their path, whatever the signs", () => {
    const text =
      "Intro.\n\n=====\nGuide\n=====\n\nSetup\n-----\nWords.\n\nHosts\n~~~~~\nWords.\n\nUse\n---\n第一章\n======";
    expect(listHeadings(text)).toEqual([
      [8, "Guide"],
      [27, "Guide > Setup"],
      [47, "Guide > Setup > Hosts"],
      [67, "Guide > Use"],
    ]);
    expect(listHeadings("Words.\n\n第一章\n======\n\nWords.")).toEqual([[8, "第一章"]]);
  });

  it("has no headings in tables, separators and signatures", () => {
    expect(
      listHeadings("a    b\n---- ----\n1    2\n\n-----\n\nLong line that ends here\n----\n\n*****\n====="),
    ).toEqual([]);
  });
});

describe("Markdown", () => {
  const listHeadings = (markdown: string) => {
    const { text, marks } = readMarkdown(markdown);
    return marks.map(({ start, heading }) => [text.slice(start).split("\n")[0], heading]);
  };

  it("has its headings marked with their path", () => {
    expect(listHeadings("Before\n\n# One\ntext\n### Deep ###\n## Two {#two}\nThree\n=====\n")).toEqual([
      ["# One", "One"],
      ["### Deep ###", "One > Deep"],
      ["## Two {#two}", "One > Two"],
      ["Three", "Three"],
    ]);
  });

  it("has no headings in code, in tables or in front matter", () => {
    expect(listHeadings("---\n# no: comment\n---\n# Yes\n\n~~~sh\n# no\n~~~~\n\n| a |\n---\n\n#no\n")).toEqual([
      ["# Yes", "Yes"],
    ]);
  });

  it("has headings without links, emphasis and code marks", () => {
    expect(listHeadings("# The *[fine](https://example.com/x)* `snake_case` guide")).toEqual([
      ["# The *[fine](https://example.com/x)* `snake_case` guide", "The fine snake_case guide"],
    ]);
    expect(listHeadings("# &Eacute;xito &amp; m&#225;s")).toEqual([["# &Eacute;xito &amp; m&#225;s", "Éxito & más"]]);
  });

  it("is titled by its front matter, else by its first heading", () => {
    expect(readMarkdown('---\ntitle: "A: b"\n---\n# C').title).toBe("A: b");
    expect(readMarkdown("---\ntitel: Badeordnung\n---\n# Inhalt").title).toBe("Badeordnung");
    expect(readMarkdown("Text\n\n## First\n\n# Second").title).toBe("First");
    expect(readMarkdown("## Table of Contents\n\n- First\n\n## First").title).toBe("First");
    expect(readMarkdown("Our rules\n\n##### Notes\n\nText").title).toBeUndefined();
    expect(readMarkdown("No heading").title).toBeUndefined();
  });

  it("with nothing but a title and other fields in front matter is empty", () => {
    const stub = "---\ntitle: x\ndraft: true\n---\n";
    expect(() => readMarkdown(stub)).toThrow(expect.objectContaining({ code: "empty" }));
  });

  it("that has its content in its front matter is read", () => {
    const event = "---\ntitle: Autumn meeting\naddress:\n  city: Bunnik\n---\n";
    expect(readMarkdown(event)).toMatchObject({ title: "Autumn meeting", text: event.trim() });
  });

  it("is itself, but for the normal form", () => {
    expect(readMarkdown("# A\r\n\r\n*b*  \r\nc\u0301 ").text).toBe("# A\n\n*b*  \nć");
  });
});

describe("subtitles", () => {
  it("of WebVTT are what is said by whom, without times, styles and notes", async () => {
    const vtt = `WEBVTT - Weekly

STYLE
::cue { color: red }

NOTE checked by Ben

1
00:00:01.000 --> 00:00:03.500 align:start
<v Anna Schmidt>Refunds take <i>five</i> days &amp;

2
00:00:03.500 --> 00:00:05.000
<v Anna Schmidt>are free.</v>

00:06.000 --> 00:07.000
<v Ben>Since <00:06.500>May?</v>
`;
    expect(await extractText(Buffer.from(vtt), "weekly.vtt")).toBe(
      "Anna Schmidt: Refunds take five days & are free.\n\nBen: Since May?",
    );
    expect(await extractText(Buffer.from(vtt), "weekly", "text/vtt; charset=utf-8")).toContain("Ben: Since May?");
  });

  it("of SubRip are paragraphs of whole sentences, in which a line that rolls up stands once", async () => {
    const cues = Array.from({ length: 40 }, (_, at) => {
      const time = `00:00:${String(at).padStart(2, "0")}`;
      return `${at + 1}\r\n${time},000 --> ${time},900\r\nSentence ${at} begins here\r\nand ends there.\r\n`;
    });
    const text = await extractText(
      Buffer.from(`${cues.join("\r\n")}\r\n41\r\n00:01:00,000 --> 00:01:01,000\r\nand ends there.\r\n`),
      "a.srt",
    );
    const paragraphs = text.split("\n\n");
    expect(paragraphs.length).toBeGreaterThan(2);
    for (const paragraph of paragraphs) expect(paragraph).toMatch(/^Sentence \d+ begins .* there\.$/);
    expect(paragraphs.join(" ")).toBe(
      Array.from({ length: 40 }, (_, at) => `Sentence ${at} begins here and ends there.`).join(" "),
    );
  });

  it("without a word are refused, and a file without times is read as it is", async () => {
    await expect(extractText(Buffer.from("WEBVTT\n\n1\n00:01.000 --> 00:02.000\n\n"), "a.vtt")).rejects.toMatchObject({
      code: "no_text",
    });
    expect(await extractText(Buffer.from("Only a text.\n"), "a.srt")).toBe("Only a text.");
  });
});
