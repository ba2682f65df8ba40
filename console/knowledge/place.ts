/** Where in its document a chunk stands. */
export interface Place {
  page?: number | undefined;
  slide?: number | undefined;
  sheet?: string | undefined;
  heading?: string | undefined;
}

/** Where in its document a chunk stands, in words; empty where nothing is known but the document's title. */
export function formatPlace({ title, page, slide, sheet, heading }: Place & { title: string }): string {
  const parts = [
    page !== undefined && `page ${page}`,
    slide !== undefined && `slide ${slide}`,
    sheet !== undefined && `sheet “${sheet}”`,
    heading !== undefined && formatHeading(heading, title),
  ];
  return parts.filter(Boolean).join(" · ");
}

/** The headings above a chunk, the document's title left out: `Prices › Children` of `House rules > Prices > Children`. */
function formatHeading(heading: string, title: string): string {
  const path = heading.split(" > ");
  return (path[0] === title ? path.slice(1) : path).join(" › ");
}

/** What a document came from, for readers: a file's path or an address. */
export function formatSource(source: string): string {
  return /^(text|markdown):/.test(source) ? "pasted text" : source.replace(/^(file|url):/, "");
}
