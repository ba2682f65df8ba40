export interface DownloadedFile {
  name: string;
  type: string;
  content: string;
}

/** Makes the browser save a file. */
export function download({ name, type, content }: DownloadedFile): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
