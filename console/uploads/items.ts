import type { DroppedFile } from "./dropped-files.ts";
import type { Stage } from "./stages.ts";

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

/** Endings of files that hold no text to read: pictures, sound, film, fonts, archives, programs and data of programs. */
const withoutText = new RegExp(
  `\\.(${[
    "avif|bmp|gif|heic|ico|jpe?g|png|psd|tiff?|webp",
    "aac|flac|m4a|mp3|ogg|opus|wav|avi|m4v|mkv|mov|mp4|mpe?g|webm",
    "eot|otf|ttf|woff2?",
    "7z|bz2|gz|jar|rar|tar|tgz|xz|zip|zst",
    "bin|class|db|dll|dmg|dylib|exe|iso|lib|o|pyc|so|sqlite3?|wasm",
  ].join("|")})$`,
  "i",
);

// Whoever names a file wants it, and is told what is wrong with it. Whoever names a folder wants what can be read of it.
const isOfFolder = ({ kind, name }: Item) => kind === "file" && name.includes("/");

/** Whether it is known without asking the service that a file of a folder can't be read. */
export const isOfOtherKind = (item: Item): boolean => isOfFolder(item) && withoutText.test(item.name);

/** The stage of an item, where the service has found a file of a folder to be of a kind that it can't read. */
export function withoutOtherKinds(item: Item, stage: Stage): Stage {
  const isUnsupported = stage.name === "error" && stage.code === "unsupported";
  return isUnsupported && isOfFolder(item) ? { name: "left-out" } : stage;
}
