import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { FileInput } from "../../ingest/prepared-document.ts";

/** Returns a function that writes a file to be read as a document. The files are removed after the tests. */
export function useFileInputs(): (content: string | Uint8Array, filename?: string) => FileInput {
  const folder = mkdtempSync(join(tmpdir(), "knowledge-inputs-"));
  afterAll(() => rm(folder, { recursive: true }));
  let written = 0;
  return (content, filename) => {
    const path = join(folder, String(written++));
    writeFileSync(path, content);
    return { path, bytesOnDisk: Buffer.byteLength(content), filename };
  };
}
