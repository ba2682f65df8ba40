import { RunError, TruncatedStreamError } from "./errors.ts";

/** Maximum length of the last line of an export, in bytes. */
const maxLastLineBytes = 2_000;

/** Number of documents and chunks in an export. */
export interface ExportCounts {
  documents: number;
  chunks: number;
}

/** Passes an export through, and fails at its end unless its last line says that the export is complete. */
export function checkExport(onEnd?: (counts: ExportCounts) => void): TransformStream<Uint8Array, Uint8Array> {
  let tail: number[] = [];
  return new TransformStream({
    transform(bytes, controller) {
      tail = [...tail, ...bytes.subarray(-maxLastLineBytes)].slice(-maxLastLineBytes);
      controller.enqueue(bytes);
    },
    flush() {
      const text = new TextDecoder().decode(new Uint8Array(tail)).trimEnd();
      const line = text.slice(text.lastIndexOf("\n") + 1);
      if (line.startsWith('{"type":"error"')) throw new RunError((JSON.parse(line) as { message: string }).message);
      if (!line.startsWith('{"type":"trailer"') || !line.endsWith("}")) throw new TruncatedStreamError();
      const { documents, chunks } = JSON.parse(line) as ExportCounts;
      onEnd?.({ documents, chunks });
    },
  });
}
