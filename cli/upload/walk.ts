import type { Dirent, Stats } from "node:fs";
import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { basename, extname, join, matchesGlob, posix } from "node:path";

export interface FoundFile {
  path: string;
  /** Path relative to the folder, with `/`. */
  name: string;
  size: number;
  mtimeMs: number;
  ctimeMs: number;
}

export interface WalkOptions {
  /** Glob patterns of names to exclude: `drafts/**`. */
  exclude?: readonly string[] | undefined;
  /** Glob patterns. A file's name has to match at least one. */
  include?: readonly string[] | undefined;
  /** Include hidden files and folders. */
  hidden?: boolean | undefined;
  /** Follow symbolic links. */
  links?: boolean | undefined;
}

export interface Walk {
  files: FoundFile[];
  /** Number of excluded names, by reason. */
  excludedCounts: Map<string, number>;
  /** Files and folders that can't be read. */
  unreadable: { name: string; error: string }[];
}

/** Folders of tools, and files of editors and operating systems. Hidden ones are excluded anyway. */
const defaultExclusions = [
  "node_modules",
  "__pycache__",
  "Thumbs.db",
  "desktop.ini",
  "~$*",
  "*~",
  "*.tmp",
  "*.lock",
  "*-lock.*",
];

/** Files without text. The service decides about all others. */
const binaryExtensions = new Set(
  (
    "png jpg jpeg gif webp bmp tiff ico heic avif psd mp3 wav ogg flac m4a aac mp4 mov avi mkv webm zip gz bz2 xz 7z rar " +
    "tar tgz zst jar war exe dll so dylib o a obj class pyc wasm bin iso dmg img woff woff2 ttf otf eot db sqlite sqlite3 " +
    "parquet onnx pt safetensors"
  )
    .split(" ")
    .map((extension) => `.${extension}`),
);

/** Finds all files below a folder, sorted by name. Fails only if the folder itself can't be read. */
export async function walk(folder: string, options: WalkOptions = {}): Promise<Walk> {
  const found: Walk = { files: [], excludedCounts: new Map(), unreadable: [] };
  const entries = await readdir(folder, { withFileTypes: true });
  await walkEntries(folder, "", entries, { options, found, ancestors: [await realpath(folder)] });
  return found;
}

interface Visit {
  options: WalkOptions;
  found: Walk;
  /** Real paths of the parent folders. A link to one of them would be a loop. */
  ancestors: readonly string[];
}

async function walkEntries(folder: string, below: string, entries: Dirent[], visit: Visit): Promise<void> {
  const { options, found, ancestors } = visit;
  for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const name = posix.join(below, entry.name);
    const leaveOut = (reason: string) => found.excludedCounts.set(reason, (found.excludedCounts.get(reason) ?? 0) + 1);
    const excluded = reasonToExclude(name, entry, options);
    if (excluded !== undefined) {
      leaveOut(excluded);
      continue;
    }
    try {
      const about = entry.isSymbolicLink() ? await stat(path) : await lstat(path);
      if (about.isDirectory()) {
        const real = await realpath(path);
        if (ancestors.includes(real)) leaveOut("linked");
        else
          await walkEntries(path, name, await readdir(path, { withFileTypes: true }), {
            ...visit,
            ancestors: [...ancestors, real],
          });
      } else {
        const reason = reasonToLeaveOut(name, about, options);
        if (reason === undefined)
          found.files.push({ path, name, size: about.size, mtimeMs: about.mtimeMs, ctimeMs: about.ctimeMs });
        else leaveOut(reason);
      }
    } catch (error) {
      found.unreadable.push({ name, error: (error as Error).message });
    }
  }
}

function reasonToExclude(
  name: string,
  entry: Dirent,
  { hidden, exclude = [], links }: WalkOptions,
): string | undefined {
  if (entry.name.startsWith(".") && !hidden) return "hidden";
  if (entry.isSymbolicLink() && !links) return "linked";
  if (defaultExclusions.some((glob) => matchesGlob(entry.name, glob))) return "of tools and editors";
  // A glob without a slash matches names in any folder, as in .gitignore.
  if (exclude.some((glob) => matchesGlob(glob.includes("/") ? name : entry.name, glob.replace(/\/$/, ""))))
    return "excluded";
  return undefined;
}

function reasonToLeaveOut(name: string, about: Stats, { include }: WalkOptions): string | undefined {
  if (!about.isFile()) return "not files";
  if (include && !include.some((glob) => matchesGlob(glob.includes("/") ? name : basename(name), glob)))
    return "not included";
  if (binaryExtensions.has(extname(name).toLowerCase())) return "media, archives and programs";
  if (about.size === 0) return "empty";
  return undefined;
}

/** Formats the counts: "3 hidden, 1 empty". */
export const describeExcluded = (leftOut: ReadonlyMap<string, number>): string =>
  [...leftOut].map(([reason, count]) => `${count} ${reason}`).join(", ");
