import type { DroppedFile } from "./dropped-files.ts";
import type { Stage } from "./stages.ts";

/** Something to ingest: a file, or a source as the service defines it. */
export type Item =
  /** The name includes the folders: `guide/README.md`. */
  | { kind: "file"; name: string; file: File }
  | { kind: "source"; name: string; source: { type: "text" | "markdown" | "url"; value: string; title?: string } };

const address = /^https?:\/\/\S+$/i;
const markdownSign = /^(#{1,6} |[-*] |\d+\. |```|\|.*\|)/m;
const maxNameLength = 60;

/** Parses pasted text: one address for each line if every line is one, else a single text. */
export function parsePastedText(text: string, title = ""): Item[] {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines.length === 0) return [];
  if (lines.every((line) => address.test(line))) {
    return lines.map((value) => ({ kind: "source", name: value, source: { type: "url", value } }));
  }
  const firstLine = (lines[0] ?? "").replace(/^#+\s*/, "");
  const shortLine = firstLine.length > maxNameLength ? `${firstLine.slice(0, maxNameLength)}…` : firstLine;
  const name = title.trim() || shortLine;
  const type = markdownSign.test(text) ? "markdown" : "text";
  return [{ kind: "source", name, source: { type, value: text, title: name } }];
}

export const toItems = (files: readonly DroppedFile[]): Item[] =>
  files.map(({ path, file }) => ({ kind: "file", name: path, file }));

/** File name endings of formats without text: images, audio, video, fonts, archives and binaries. */
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

// A file that the user chose by itself fails with a message. Of a folder, unsupported files are left out silently.
const isInFolder = ({ kind, name }: Item) => kind === "file" && name.includes("/");

/** Whether a file of a folder is left out without asking the service. */
export const isLeftOut = (item: Item): boolean => isInFolder(item) && withoutText.test(item.name);

/** Turns the service's "unsupported" error for a file of a folder into the stage "left-out". */
export function leaveOutUnsupported(item: Item, stage: Stage): Stage {
  const isUnsupported = stage.name === "error" && stage.code === "unsupported";
  return isUnsupported && isInFolder(item) ? { name: "left-out" } : stage;
}
