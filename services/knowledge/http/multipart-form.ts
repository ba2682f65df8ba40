import { createWriteStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { ProblemError, refuseManyValues } from "@agent-backends/kit";
import type { MultipartFile, MultipartValue } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import type { UploadedFile } from "../ingest/sources.ts";
import { temporaryPath } from "../ingest/temporary-files.ts";
import type { LongString } from "./long-strings.ts";
import { parseUploadName } from "./upload-name.ts";

/** A request as it was sent: its files lie on disk until `discard`. */
export interface ReceivedForm {
  /** `undefined` for an empty body. */
  fields: unknown;
  files: UploadedFile[];
  /** By the marks that stand for them in the fields. */
  longStrings?: ReadonlyMap<string, LongString>;
  discard(): Promise<void>;
}

/** Fields that are no files, whatever name and type a client gives their part. */
const textFields = ["namespace", "sources", "on_conflict", "metadata"] as const;
const jsonFields: readonly FieldName[] = ["sources", "metadata"];
type FieldName = (typeof textFields)[number];
/** Other fields are ignored, but not without end. */
const fieldsAtMost = 100;

/**
 * Receives a multipart form, its files streamed to disk, into `folder` or a new one. A file over `maxFileBytes` is cut there
 * and marked so.
 *
 * @throws ProblemError 422 for more than `maxFiles` files or for a field that is not the JSON it should be, 413 for a longer field
 */
export async function receiveForm(
  request: FastifyRequest,
  options: { maxFileBytes: number; maxFiles: number; maxFieldBytes: number; folder?: string | undefined },
): Promise<ReceivedForm> {
  const { maxFileBytes, maxFiles, maxFieldBytes } = options;
  const folder = options.folder ?? temporaryPath();
  if (options.folder === undefined) await mkdir(folder, { mode: 0o700 });
  const discard = () => rm(folder, { recursive: true, force: true });
  const form = { fields: {}, files: [] as UploadedFile[], discard };
  try {
    const parts = request.parts({
      limits: { fileSize: maxFileBytes, files: maxFiles, fieldSize: maxFieldBytes, fields: fieldsAtMost },
      throwFileSizeLimit: false,
      preservePath: true,
      isPartAFile: (field, _type, filename) => filename !== undefined && !isTextField(field),
    } as Parameters<FastifyRequest["parts"]>[0]);
    for await (const part of parts) {
      if (part.type === "field") readField(part, form.fields, maxFieldBytes);
      else {
        const file = await receiveFile(part, join(folder, String(form.files.length)));
        if (file) form.files.push(file);
      }
    }
    return form;
  } catch (error) {
    await discard();
    // What the form's reader throws without a status is about the form: no boundary, a malformed part, an early end.
    if (
      error instanceof Error &&
      !(error instanceof ProblemError) &&
      !("statusCode" in error) &&
      !("syscall" in error)
    ) {
      const detail = "The form can't be read; send a whole multipart/form-data body with its boundary.";
      throw new ProblemError("bad-request", detail, { cause: error });
    }
    if ((error as { code?: string }).code !== "FST_FILES_LIMIT") throw error;
    throw new ProblemError("invalid-input", `More than ${maxFiles} files in one request; send them in several.`, {
      errors: [{ pointer: "/files", detail: `holds more than ${maxFiles} files` }],
    });
  }
}

const isTextField = (name: string | undefined): name is FieldName => (textFields as readonly unknown[]).includes(name);

function readField(part: MultipartValue, fields: Partial<Record<FieldName, unknown>>, maxFieldBytes: number): void {
  const { fieldname: name, value } = part;
  if (part.valueTruncated) {
    throw new ProblemError("too-large", `The field ${name} is over the limit of ${maxFieldBytes} bytes.`);
  }
  if (isTextField(name)) {
    fields[name] = jsonFields.includes(name) && typeof value === "string" ? parseJson(name, value) : value;
  }
}

function parseJson(name: FieldName, text: string): unknown {
  if (text.trim() === "") return undefined;
  refuseManyValues(text);
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ProblemError("invalid-input", `The field ${name} is not JSON; see the documentation for its form.`, {
      errors: [{ pointer: `/${name}`, detail: "is not JSON" }],
      cause,
    });
  }
}

async function receiveFile(part: MultipartFile, path: string): Promise<UploadedFile | undefined> {
  await pipeline(part.file, createWriteStream(path));
  // What a browser sends for a file input in which nothing was chosen.
  if (part.filename === "" && part.file.bytesRead === 0) return undefined;
  return {
    filename: parseUploadName(part.filename),
    contentType: part.mimetype,
    path,
    bytesOnDisk: (await stat(path)).size,
    truncated: part.file.truncated,
  };
}
