import type { Stage } from "./stages.ts";

/** An item to ingest: a file, or a source in the service's format. */
export type Item =
  /** The name includes the folders: `guide/README.md`. */
  | { kind: "file"; name: string; file: File }
  | { kind: "source"; name: string; source: { type: "text" | "markdown" | "url"; value: string; title?: string } };

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

// A file that the user chose individually fails with a message. In a folder, unsupported files are left out silently.
const isInFolder = ({ kind, name }: Item) => kind === "file" && name.includes("/");

/** Whether a file in a folder is left out without a request to the service. */
export const isLeftOut = (item: Item): boolean => isInFolder(item) && withoutText.test(item.name);

/** Turns the service's "unsupported" error for a file of a folder into the stage "left-out". */
export function leaveOutUnsupported(item: Item, stage: Stage): Stage {
  const isUnsupported = stage.name === "error" && stage.code === "unsupported";
  return isUnsupported && isInFolder(item) ? { name: "left-out" } : stage;
}
