import { formatCount } from "../design/format.ts";

/** Maximum number of files taken from one drop or one chosen folder. Each file is a separate request. */
export const maxFilesPerDrop = 2_000;

/** A file with its path in the dropped folder: `guide/README.md`. */
export interface DroppedFile {
  path: string;
  file: File;
}

export interface DroppedFiles {
  files: DroppedFile[];
  /** Number of hidden and system files that were left out. */
  hiddenCount: number;
  /** Number of files and folders that the browser could not read. */
  unreadableCount: number;
  /** Whether there were more than `maxFilesPerDrop` files. */
  isCut: boolean;
}

/** Files and folders that systems and programs create for themselves. */
const systemNames = /^(\..*|Thumbs\.db|desktop\.ini|__MACOSX|\$RECYCLE\.BIN)$/i;

const isHidden = (path: string) => path.split("/").some((name) => systemNames.test(name));

/** Reads dropped files and folders. Must be called in the event handler, because browsers empty the transfer afterwards. */
export async function readDroppedFiles(transfer: DataTransfer): Promise<DroppedFiles> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? []);
  // Files dropped by a program may have no entries.
  if (entries.length === 0) return takeFiles([...transfer.files].map((file) => ({ path: file.name, file })));
  const found: DroppedFiles = { files: [], hiddenCount: 0, unreadableCount: 0, isCut: false };
  for (const entry of entries) await readEntry(entry, found);
  return found;
}

/** The files of an input, with their paths if a folder was chosen. */
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
    if (entry.isFile) found.files.push({ path: entry.fullPath.replace(/^\//, ""), file: await readFile(entry) });
    else for await (const child of readFolder(entry)) if (!found.isCut) await readEntry(child, found);
  } catch {
    found.unreadableCount++;
  }
}

function readFile(entry: FileSystemEntry): Promise<File> {
  return new Promise((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
}

/** `readEntries` returns batches. An empty batch marks the end. */
async function* readFolder(folder: FileSystemEntry): AsyncGenerator<FileSystemEntry, void, undefined> {
  const reader = (folder as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return;
    yield* entries;
  }
}

/** A message about files that were left out, or undefined. */
export function describeLeftOut({ files, hiddenCount, unreadableCount, isCut }: DroppedFiles): string | undefined {
  const parts = [
    hiddenCount > 0 && `${formatCount(hiddenCount, "hidden or system file")} left out.`,
    unreadableCount > 0 && `${formatCount(unreadableCount, "entry", "entries")} couldn't be read.`,
    isCut && `Only the first ${files.length.toLocaleString("en")} files were taken. Add the others in smaller folders.`,
    files.length === 0 && "No file was found to add.",
  ];
  return parts.filter(Boolean).join(" ") || undefined;
}
