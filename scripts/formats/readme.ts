import type { Format } from "../../services/knowledge/ingest/extract/formats.ts";

const begin = "<!-- formats -->";
const end = "<!-- /formats -->";

/** Every format that can be read, with the extensions of its files: "PDF files (.pdf), …". */
export function formatSentence(formats: readonly Format[]): string {
  const names = formats.map(({ label, extensions }) => {
    return `${label}s (${extensions.map((extension) => `\`.${extension}\``).join(", ")})`;
  });
  return `Files may be ${names.slice(0, -1).join(", ")} and ${names.at(-1)}, each told by its content or its name.`;
}

/** The README with the sentence between its marks. @throws Error when it has no marks */
export function withFormats(readme: string, formats: readonly Format[]): string {
  const [before, rest] = readme.split(begin);
  const after = rest?.split(end)[1];
  if (before === undefined || after === undefined) throw new Error(`README.md has no ${begin} … ${end}`);
  return `${before}${begin}\n${formatSentence(formats)}\n${end}${after}`;
}
