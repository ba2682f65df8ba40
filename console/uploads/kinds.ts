import type { Item } from "./pasted.ts";
import type { Stage } from "./stages.ts";

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
