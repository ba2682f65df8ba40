import type { DroppedFile } from "./dropped-files.ts";

/** Something to take in: a source as the service knows it, or a file. */
export type Item =
  | { kind: "file" /** With the folders it was in: `guide/README.md`. */; name: string; file: File }
  | { kind: "source"; name: string; source: { type: "text" | "markdown" | "url"; value: string; title?: string } };

const address = /^https?:\/\/\S+$/i;
const markdownSign = /^(#{1,6} |[-*] |\d+\. |```|\|.*\|)/m;
const nameLength = 60;

/** Reads what was pasted: addresses when every line is one, else one text. Blank text is nothing. */
export function itemsOfText(text: string, title = ""): Item[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines.length === 0) return [];
  if (lines.every((line) => address.test(line))) {
    return lines.map((value) => ({ kind: "source", name: value, source: { type: "url", value } }));
  }
  const firstLine = (lines[0] ?? "").replace(/^#+\s*/, "");
  const name = title.trim() || (firstLine.length > nameLength ? `${firstLine.slice(0, nameLength)}…` : firstLine);
  return [
    {
      kind: "source",
      name,
      source: { type: markdownSign.test(text) ? "markdown" : "text", value: text, title: name },
    },
  ];
}

export const itemsOfFiles = (files: readonly DroppedFile[]): Item[] =>
  files.map(({ path, file }) => ({ kind: "file", name: path, file }));
