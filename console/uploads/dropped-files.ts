import { formatCount } from "../design/format.ts";

/** Files taken from one drop or one chosen folder; the service is asked once for each. */
export const maxFilesPerDrop = 2_000;

/** A file with the folders it was dropped in: `guide/README.md`. */
export interface DroppedFile {
  path: string;
  file: File;
}

export interface DroppedFiles {
  files: DroppedFile[];
  /** Hidden and system files that were left out. */
  hiddenCount: number;
  /** Files and folders that the browser was not let read. */
  unreadableCount: number;
  /** Whether there were more than `maxFilesPerDrop` files. */
  isCut: boolean;
}

/** What systems and programs keep for themselves in folders. */
const systemNames = /^(\..*|Thumbs\.db|desktop\.ini|__MACOSX|\$RECYCLE\.BIN)$/i;

const isHidden = (path: string) => path.split("/").some((name) => systemNames.test(name));

/** Reads what was dropped, folders with all that is in them. The transfer has to be fresh: browsers empty it after the event. */
export async function readDroppedFiles(transfer: DataTransfer): Promise<DroppedFiles> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  // A file that a program drops may have no entry.
  if (entries.length === 0) return takeFiles([...transfer.files].map((file) => ({ path: file.name, file })));
  const found: DroppedFiles = { files: [], hiddenCount: 0, unreadableCount: 0, isCut: false };
  for (const entry of entries) await readEntry(entry, found);
  return found;
}

/** The files of an input, with their folders where a folder was chosen. */
export function readChosenFiles(files: Iterable<File>): DroppedFiles {
  return takeFiles([...files].map((file) => ({ path: file.webkitRelativePath || file.name, file })));
}

function takeFiles(all: DroppedFile[]): DroppedFiles {
  const files = all.filter(({ path }) => !isHidden(path));
  return {
    files: files.slice(0, maxFilesPerDrop),
    hiddenCount: all.length - files.length,
    unreadableCount: 0,
    isCut: files.length > maxFilesPerDrop,
  };
}

async function readEntry(entry: FileSystemEntry, found: DroppedFiles): Promise<void> {
  if (systemNames.test(entry.name)) {
    found.hiddenCount++;
    return;
  }
  if (found.files.length >= maxFilesPerDrop) {
    found.isCut = true;
    return;
  }
  try {
    if (entry.isFile) found.files.push({ path: entry.fullPath.replace(/^\//, ""), file: await fileOf(entry) });
    else for await (const child of childrenOf(entry)) if (!found.isCut) await readEntry(child, found);
  } catch {
    found.unreadableCount++;
  }
}

function fileOf(entry: FileSystemEntry): Promise<File> {
  return new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
}

/** A folder's entries come some at a time, until none come. */
async function* childrenOf(folder: FileSystemEntry): AsyncGenerator<FileSystemEntry, void, undefined> {
  const reader = (folder as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    yield* entries;
  }
}

/** What of a drop was left out, in words; `undefined` where nothing was. */
export function describeLeftOut({ files, hiddenCount, unreadableCount, isCut }: DroppedFiles): string | undefined {
  const parts = [
    hiddenCount > 0 && `${formatCount(hiddenCount, "hidden or system file")} left out.`,
    unreadableCount > 0 && `${formatCount(unreadableCount, "entry", "entries")} couldn't be read.`,
    isCut && `Only the first ${files.length.toLocaleString("en")} files were taken. Add the others in smaller folders.`,
    files.length === 0 && "No file was found to add.",
  ];
  return parts.filter(Boolean).join(" ") || undefined;
}
