import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ProblemError } from "@agent-backends/kit";
import type { MultipartFile, MultipartValue } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import type { UploadedFile } from "../ingest/sources.ts";

/** A form as it was sent: its files lie on disk until `discard`. */
export interface ReceivedForm {
  fields: { namespace?: unknown; sources?: unknown };
  files: UploadedFile[];
  discard(): Promise<void>;
}

/** Fields that are no files, whatever name and type a client gives their part. */
const textFields = ["namespace", "sources"];
/** Other fields are ignored, but not without end. */
const fieldsAtMost = 100;

/**
 * Receives a multipart form, its files streamed to disk. A file over `maxFileBytes` is cut there and marked so.
 *
 * @throws ProblemError 422 for more than `maxFiles` files or for `sources` that are not JSON, 413 for a longer field
 */
export async function receiveForm(
  request: FastifyRequest,
  { maxFileBytes, maxFiles, maxFieldBytes }: { maxFileBytes: number; maxFiles: number; maxFieldBytes: number },
): Promise<ReceivedForm> {
  const folder = await mkdtemp(join(tmpdir(), "knowledge-upload-"));
  const discard = () => rm(folder, { recursive: true, force: true });
  const form: ReceivedForm = { fields: {}, files: [], discard };
  try {
    const parts = request.parts({
      limits: { fileSize: maxFileBytes, files: maxFiles, fieldSize: maxFieldBytes, fields: fieldsAtMost },
      throwFileSizeLimit: false,
      isPartAFile: (field, _type, filename) => filename !== undefined && !textFields.includes(field ?? ""),
    } as Parameters<FastifyRequest["parts"]>[0]);
    for await (const part of parts) {
      if (part.type === "field") readField(part, form.fields);
      else {
        const file = await receiveFile(part, join(folder, String(form.files.length)));
        if (file) form.files.push(file);
      }
    }
    return form;
  } catch (error) {
    await discard();
    if ((error as { code?: string }).code !== "FST_FILES_LIMIT") throw error;
    throw new ProblemError("invalid-input", `More than ${maxFiles} files in one request; send them in several.`, {
      errors: [{ pointer: "/files", detail: `holds more than ${maxFiles} files` }],
    });
  }
}

function readField(part: MultipartValue, fields: ReceivedForm["fields"]): void {
  if (part.valueTruncated) throw new ProblemError("too-large", `The field ${part.fieldname} is over the size limit.`);
  if (part.fieldname === "namespace") fields.namespace = part.value;
  if (part.fieldname === "sources")
    fields.sources = typeof part.value === "string" ? parseSources(part.value) : part.value;
}

function parseSources(text: string): unknown {
  if (text.trim() === "") return undefined;
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProblemError("invalid-input", "The field sources is not JSON; give a JSON array of sources.", {
      errors: [{ pointer: "/sources", detail: "is not JSON" }],
      cause,
    });
  }
}

async function receiveFile(part: MultipartFile, path: string): Promise<UploadedFile | undefined> {
  await pipeline(part.file, createWriteStream(path));
  // What a browser sends for a file input in which nothing was chosen.
  if (part.filename === "" && part.file.bytesRead === 0) return undefined;
  return {
    filename: part.filename || "unnamed",
    contentType: part.mimetype,
    truncated: part.file.truncated,
    read: () => readFile(path),
  };
}
