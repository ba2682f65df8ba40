import { createHash } from "node:crypto";

/** An outline entry, with the 0-based index of the page that it leads to. */
export interface PdfOutlineEntry {
  title: string;
  page: number;
  inner?: readonly PdfOutlineEntry[];
}

export interface PdfOptions {
  title?: string;
  outline?: readonly PdfOutlineEntry[];
  /** Encrypts the file with this password (RC4, 40 bits: ISO 32000-1, 7.6.3, revision 2). */
  password?: string;
}

/** Pads a password to 32 bytes (ISO 32000-1, 7.6.3.3, algorithm 2). */
const passwordPadding = Buffer.from("28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a", "hex");

/**
 * Builds a PDF with one page for each element of `pages`, which contains the page's lines in Latin-1. An empty line leaves a gap, a line
 * after "# " is in larger letters, one after "** " is bold, and a page without lines has no text, like a scan.
 */
export function pdf(pages: readonly (readonly string[])[], options: PdfOptions = {}): Uint8Array {
  const fileId = createHash("md5").update(JSON.stringify(pages)).digest();
  const seal = options.password === undefined ? undefined : encryption(options.password, fileId);
  const objects = new Map<number, Buffer>();
  const pageNumbers = pages.map((_, index) => 10 + 2 * index);
  objects.set(1, Buffer.from("<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R >>"));
  addOutline(objects, 6, options.outline ?? [], 1_000);
  objects.set(
    2,
    Buffer.from(`<< /Type /Pages /Kids [${pageNumbers.map((n) => `${n} 0 R`).join(" ")}] /Count ${pages.length} >>`),
  );
  objects.set(3, Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"));
  objects.set(7, Buffer.from("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>"));
  objects.set(4, Buffer.from(`<< /Title (${escaped(options.title ?? "")}) >>`));
  if (seal !== undefined) objects.set(5, seal.dictionary);
  for (const [index, lines] of pages.entries()) {
    const page = 10 + 2 * index;
    const content = Buffer.from(drawing(lines), "latin1");
    const stream = seal === undefined ? content : seal.encrypt(content, page + 1);
    objects.set(
      page,
      Buffer.from(
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R /F2 7 0 R >> >> /Contents ${page + 1} 0 R >>`,
      ),
    );
    objects.set(
      page + 1,
      Buffer.concat([Buffer.from(`<< /Length ${stream.length} >>\nstream\n`), stream, Buffer.from("\nendstream")]),
    );
  }
  return assemble(
    objects,
    `/Info 4 0 R ${seal === undefined ? "" : "/Encrypt 5 0 R "}/ID [<${fileId.toString("hex")}> <${fileId.toString("hex")}>]`,
  );
}

/**
 * Adds outline items (ISO 32000-1, 12.3.3) below the object `parent`, starting with object number `first`. @returns the next free object
 * number
 */
function addOutline(
  objects: Map<number, Buffer>,
  parent: number,
  entries: readonly PdfOutlineEntry[],
  first: number,
  own = "/Type /Outlines",
): number {
  let next = first + entries.length;
  const links = entries.length === 0 ? "" : `/First ${first} 0 R /Last ${next - 1} 0 R /Count ${entries.length}`;
  objects.set(parent, Buffer.from(`<< ${own} ${links} >>`));
  for (const [index, { title, page, inner = [] }] of entries.entries()) {
    const after = index + 1 < entries.length ? `/Next ${first + index + 1} 0 R` : "";
    const item = `/Title (${escaped(title)}) /Parent ${parent} 0 R /Dest [${10 + 2 * page} 0 R /Fit] ${after}`;
    next = addOutline(objects, first + index, inner, next, item);
  }
  return next;
}

/**
 * Builds a PDF of one page that shows `content`, a string operand, in an East Asian font that isn't embedded.
 *
 * @param encoding name of the encoding of `content`
 */
export function pdfWithNamedCharacters(content: Uint8Array, encoding: string): Uint8Array {
  const font = `/Type /Font /Subtype /Type0 /BaseFont /Mincho /Encoding /${encoding} /DescendantFonts [4 0 R]`;
  const descendant =
    "/Type /Font /Subtype /CIDFontType0 /BaseFont /Mincho /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> /FontDescriptor 5 0 R";
  const shown = `BT /F1 12 Tf 72 720 Td <${Buffer.from(content).toString("hex")}> Tj ET`;
  return pdfOfPage(`/Resources << /Font << /F1 3 0 R >> >>`, shown, [
    `<< ${font} >>`,
    `<< ${descendant} >>`,
    "<< /Type /FontDescriptor /FontName /Mincho /Flags 4 >>",
  ]);
}

/** Builds a PDF of one page without text, with these annotations. Each contains the entries of its dictionary. */
export function pdfWithAnnotations(annotations: readonly string[]): Uint8Array {
  const all = annotations.map((entries) => `<< /Type /Annot /Rect [72 700 172 720] ${entries} >>`);
  return pdfOfPage(`/Annots [${all.join(" ")}]`, "", []);
}

/** Builds a page with these entries and content. `objects` are numbered from 3. */
function pdfOfPage(entries: string, content: string, objects: readonly string[]): Uint8Array {
  const page = `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${entries} /Contents 11 0 R >>`;
  const bodies = new Map([
    [1, "<< /Type /Catalog /Pages 2 0 R /AcroForm << /Fields [] >> >>"],
    [2, "<< /Type /Pages /Kids [10 0 R] /Count 1 >>"],
    ...objects.map((body, index): [number, string] => [3 + index, body]),
    [10, page],
    [11, `<< /Length ${content.length} >>\nstream\n${content}\nendstream`],
  ]);
  return assemble(new Map([...bodies].map(([number, body]) => [number, Buffer.from(body, "latin1")])), "");
}

function assemble(objects: ReadonlyMap<number, Buffer>, trailer: string): Uint8Array {
  const parts: Buffer[] = [Buffer.from("%PDF-1.4\n")];
  const offsets = new Map<number, number>();
  let length = parts[0]?.length ?? 0;
  const write = (part: Buffer) => {
    parts.push(part);
    length += part.length;
  };
  for (const [number, body] of objects) {
    offsets.set(number, length);
    write(Buffer.concat([Buffer.from(`${number} 0 obj\n`), body, Buffer.from("\nendobj\n")]));
  }
  const start = length;
  const sections = [...offsets].map(
    ([number, offset]) => `${number} 1\n${String(offset).padStart(10, "0")} 00000 n \n`,
  );
  const size = Math.max(...objects.keys()) + 1;
  write(Buffer.from(`xref\n0 1\n0000000000 65535 f \n${sections.join("")}`));
  write(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`));
  return new Uint8Array(Buffer.concat(parts));
}

/** Draws lines of 12-point text, 14 points apart, from the page's upper left corner. */
function drawing(lines: readonly string[]): string {
  const shown = lines.map((line) => {
    const [, sign, title = ""] = /^(#|\*\*) (.*)/.exec(line) ?? [];
    if (sign !== undefined) return `${sign === "#" ? "/F1 18" : "/F2 12"} Tf (${escaped(title)}) Tj /F1 12 Tf T*`;
    return line === "" ? "T*" : `(${escaped(line)}) Tj T*`;
  });
  return lines.length === 0 ? "0 0 612 792 re f" : `BT /F1 12 Tf 14 TL 72 720 Td ${shown.join(" ")} ET`;
}

function escaped(text: string): string {
  return text.replace(/[\\()]/g, "\\$&");
}

function encryption(password: string, fileId: Buffer) {
  const padded = Buffer.concat([Buffer.from(password, "latin1"), passwordPadding]).subarray(0, 32);
  const owner = rc4(md5(padded).subarray(0, 5), padded);
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff]);
  const key = md5(Buffer.concat([padded, owner, permissions, fileId])).subarray(0, 5);
  const user = rc4(key, passwordPadding);
  return {
    dictionary: Buffer.from(
      `<< /Filter /Standard /V 1 /R 2 /O <${owner.toString("hex")}> /U <${user.toString("hex")}> /P -4 >>`,
    ),
    encrypt(content: Buffer, objectNumber: number): Buffer {
      const number = Buffer.from([objectNumber & 0xff, objectNumber >> 8, 0, 0, 0]);
      return rc4(md5(Buffer.concat([key, number])).subarray(0, 10), content);
    },
  };
}

function md5(bytes: Uint8Array): Buffer {
  return createHash("md5").update(bytes).digest();
}

function rc4(key: Uint8Array, data: Uint8Array): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index);
  const at = (index: number) => state[index & 0xff] ?? 0;
  const swap = (one: number, other: number) => {
    [state[one], state[other]] = [at(other), at(one)];
  };
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] ?? 0)) & 0xff;
    swap(i, j);
  }
  let i = 0;
  let j = 0;
  return Buffer.from(
    data.map((byte) => {
      i = (i + 1) & 0xff;
      j = (j + at(i)) & 0xff;
      swap(i, j);
      return byte ^ at(at(i) + at(j));
    }),
  );
}
