import { createWriteStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { knowledgeLimits, ProblemError, problems } from "@agent-backends/contract";
import { parseJson } from "@agent-backends/kit";
import type { MultipartFile } from "@fastify/multipart";
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

/** Fields that are no files, whatever file name and type a client gives their part. */
const textFields = ["namespace", "sources", "on_conflict", "metadata"] as const;
const jsonFields: readonly FieldName[] = ["sources", "metadata"];
type FieldName = (typeof textFields)[number];

interface FormOptions {
  maxFileBytes: number;
  maxFiles: number;
  maxFieldBytes: number;
  folder?: string | undefined;
}

/**
 * Receives a multipart form, its files streamed to disk, into `folder` or a new one. A file over `maxFileBytes` is marked so.
 * Other fields are dropped unread.
 *
 * @throws ProblemError 422 for more than `maxFiles` files or for a field that is not the JSON it should be, 413 for a field over
 *   `maxFieldBytes` and for too many parts
 */
export async function receiveForm(request: FastifyRequest, options: FormOptions): Promise<ReceivedForm> {
  const folder = options.folder ?? temporaryPath();
  if (options.folder === undefined) await mkdir(folder, { mode: 0o700 });
  const discard = () => rm(folder, { recursive: true, force: true });
  const form = { fields: {}, files: [], discard };
  const maxParts = options.maxFiles + textFields.length + knowledgeLimits.otherFormParts;
  try {
    await receiveParts(request, { ...options, maxParts, folder }, form);
    return form;
  } catch (error) {
    // What is still on its way would stand before the connection's next request.
    request.raw.unpipe();
    request.raw.resume();
    await discard();
    throw problemOfForm(error, maxParts);
  }
}

async function receiveParts(
  request: FastifyRequest,
  { maxFileBytes, maxFiles, maxFieldBytes, maxParts, folder }: FormOptions & { maxParts: number; folder: string },
  { fields, files }: { fields: Partial<Record<FieldName, unknown>>; files: UploadedFile[] },
): Promise<void> {
  let begunParts = 0;
  let partsLeft = maxParts;
  const parts = request.parts({
    limits: { fileSize: 1 + Math.max(maxFileBytes, maxFieldBytes), parts: maxParts + 1 },
    throwFileSizeLimit: false,
    preservePath: true,
    // The plugin would keep a field in memory, and parse one that says it is JSON, before its name is looked at.
    isPartAFile() {
      begunParts += 1;
      // It would go on to parse thousands of parts while the first ones are stored.
      if (begunParts > maxParts) request.raw.unpipe();
      return true;
    },
  } as Parameters<FastifyRequest["parts"]>[0]) as AsyncIterableIterator<MultipartFile>;
  for await (const part of parts) {
    if (partsLeft === 0) throw problems.tooManyParts(maxParts);
    partsLeft -= 1;
    const { fieldname: name, filename } = part;
    if (isTextField(name)) {
      const bytes = await readField(part, maxFieldBytes);
      fields[name] = jsonFields.includes(name) ? parseField(name, bytes) : bytes.toString("utf8");
    } else if ((filename as string | undefined) === undefined) await dropField(part, maxFieldBytes);
    else {
      if (files.length === maxFiles) throw problems.tooManyFiles(maxFiles);
      const file = await receiveFile(part, join(folder, String(files.length)));
      if (file) files.push(file);
    }
  }
}

const isTextField = (name: string): name is FieldName => (textFields as readonly string[]).includes(name);

async function readField(part: MultipartFile, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of chunksOf(part, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function dropField(part: MultipartFile, maxBytes: number): Promise<void> {
  for await (const _ of chunksOf(part, maxBytes));
}

async function* chunksOf(
  { file, fieldname }: MultipartFile,
  maxBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  let bytes = 0;
  for await (const chunk of file as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) {
      const name = fieldname.slice(0, maxShownNameLength).toWellFormed();
      throw problems.fieldTooLarge(name, maxBytes);
    }
    yield chunk;
  }
}

/** The name of a field is shown up to this length, in UTF-16 code units. */
const maxShownNameLength = 100;

function parseField(name: FieldName, bytes: Buffer): unknown {
  if (bytes.toString("utf8").trim() === "") return undefined;
  try {
    return parseJson(bytes, `The field ${name}`);
  } catch (cause) {
    if (!(cause instanceof ProblemError) || cause.code !== "not-json") throw cause;
    throw problems.fieldNotJson(name, cause);
  }
}

function problemOfForm(error: unknown, maxParts: number): unknown {
  if (error instanceof ProblemError || !(error instanceof Error)) return error;
  if ((error as { code?: string }).code === "FST_PARTS_LIMIT") return problems.tooManyParts(maxParts, error);
  // What the form's reader throws without a status is about the form: no boundary, a malformed part, an early end.
  if ("statusCode" in error || "syscall" in error) return error;
  return problems.unreadableForm(error);
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
