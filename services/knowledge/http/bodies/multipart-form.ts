import { isUtf8 } from "node:buffer";
import { createWriteStream } from "node:fs";
import { mkdir, rm, stat } from "node:fs/promises";
import { join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import { knowledgeLimits, ProblemError, problems } from "@agent-backends/contract";
import { parseJson } from "@agent-backends/kit";
import type { MultipartFile } from "@fastify/multipart";
import type { FastifyRequest } from "fastify";
import type { UploadedFile } from "../../store/jobs/sent-items.ts";
import { temporaryPath } from "../../store/temporary-files.ts";
import type { LongString } from "./long-strings.ts";

/** A received request. Its files stay on disk until `discard`. */
export interface ReceivedForm {
  /** `undefined` for an empty body. */
  fields: unknown;
  files: UploadedFile[];
  /** Long strings by the placeholders that replace them in the fields. */
  longStrings?: ReadonlyMap<string, LongString>;
  discard(): Promise<void>;
}

/** Fields read as text, whatever file name and content type their part has. */
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
 * Receives a multipart form. Files are streamed to disk, into `folder` or a new one; a file over `maxFileBytes` is truncated and
 * flagged. The values of unknown fields are discarded.
 *
 * @throws ProblemError 422 for more than `maxFiles` files, and for a field that is repeated or not the JSON it should be; 413 for a
 *   field over `maxFieldBytes` and for too many parts
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
    // Drain the rest of the body: the connection's next request follows it.
    request.raw.unpipe();
    request.raw.resume();
    await discard();
    throw toFormProblem(error, maxParts);
  }
}

async function receiveParts(
  request: FastifyRequest,
  { maxFileBytes, maxFiles, maxFieldBytes, maxParts, folder }: FormOptions & { maxParts: number; folder: string },
  { fields, files }: { fields: Record<string, unknown>; files: UploadedFile[] },
): Promise<void> {
  let startedParts = 0;
  let partsLeft = maxParts;
  const parts = request.parts({
    limits: { fileSize: 1 + Math.max(maxFileBytes, maxFieldBytes), parts: maxParts + 1 },
    throwFileSizeLimit: false,
    preservePath: true,
    // Treat every part as a file: the plugin would buffer fields, and parse those declared as JSON, before we see their name.
    isPartAFile() {
      startedParts += 1;
      // Stop feeding the parser, which would otherwise parse thousands of parts while the first ones are stored.
      if (startedParts > maxParts) request.raw.unpipe();
      return true;
    },
  } as Parameters<FastifyRequest["parts"]>[0]) as AsyncIterableIterator<MultipartFile>;
  for await (const part of parts) {
    if (partsLeft === 0) throw problems.tooManyParts(maxParts);
    partsLeft -= 1;
    const { fieldname: name, filename } = part;
    const isFile = !isTextField(name) && (filename as string | undefined) !== undefined;
    if (isTextField(name)) {
      if (Object.hasOwn(fields, name)) throw problems.repeatedField(name);
      const bytes = await readField(part, maxFieldBytes);
      // Reject invalid UTF-8: Node.js would replace the invalid bytes, and two namespaces could then get the same name.
      if (!isUtf8(bytes)) throw problems.fieldNotUtf8(name);
      fields[name] = await parseField(name, bytes);
    } else if (!isFile) {
      const isEmpty = await discardField(part, maxFieldBytes);
      // Keep the name of an unknown field, which may be a misspelt one. Ignore an empty text field "files": some clients send it when
      // no file was chosen.
      if (!isEmpty || name !== "files") fields[name] = "";
    } else {
      if (files.length === maxFiles) throw problems.tooManyFiles(maxFiles);
      const file = await receiveFile(part, join(folder, String(files.length)));
      if (file) files.push(file);
    }
  }
}

const isTextField = (name: string): name is FieldName => (textFields as readonly string[]).includes(name);

async function readField(part: MultipartFile, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of readChunks(part, maxBytes)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** @returns whether the field was empty */
async function discardField(part: MultipartFile, maxBytes: number): Promise<boolean> {
  let isEmpty = true;
  for await (const chunk of readChunks(part, maxBytes)) isEmpty &&= chunk.length === 0;
  return isEmpty;
}

async function* readChunks(
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

/** Maximum length of a field name in an error message, in UTF-16 code units. */
const maxShownNameLength = 100;

async function parseField(name: FieldName, bytes: Buffer): Promise<unknown> {
  const text = bytes.toString("utf8");
  // Pages also send the inputs that their users left empty.
  if (text.trim() === "") return undefined;
  if (!jsonFields.includes(name)) return text;
  try {
    return await parseJson(bytes, `The field ${name}`);
  } catch (cause) {
    if (!(cause instanceof ProblemError) || cause.code !== "not-json") throw cause;
    throw problems.fieldNotJson(name, cause);
  }
}

function toFormProblem(error: unknown, maxParts: number): unknown {
  if (error instanceof ProblemError || !(error instanceof Error)) return error;
  if ((error as { code?: string }).code === "FST_PARTS_LIMIT") return problems.tooManyParts(maxParts, error);
  // Errors of the form parser have no status: no boundary, a malformed part, an early end.
  if ("statusCode" in error || "syscall" in error) return error;
  return problems.unreadableForm(error);
}

async function receiveFile(part: MultipartFile, path: string): Promise<UploadedFile | undefined> {
  await pipeline(part.file, createWriteStream(path));
  // Browsers send an empty part for a file input without a selection.
  if (part.filename === "" && part.file.bytesRead === 0) return undefined;
  return {
    filename: parseUploadName(part.filename),
    contentType: part.mimetype,
    path,
    bytesOnDisk: (await stat(path)).size,
    truncated: part.file.truncated,
  };
}

/**
 * The name of an uploaded file with the folders sent with it, such as `docs/guide/README.md`, or "unnamed". Both kinds of slashes
 * separate folders. Letters are in NFC, as people type them: Macs send NFD. An absolute path is reduced to its file name, since the rest only describes the client's disk.
 */
export function parseUploadName(sent: string): string {
  const path = sent
    .normalize("NFC")
    .replace(/\p{Cc}/gu, "")
    .replaceAll("\\", "/");
  const isAbsolute = /^([a-z]:)?\//i.test(path);
  // Resolving below a root keeps ".." from leading out of it.
  const resolved = posix.resolve("/", path.replace(/^[a-z]:/i, ""));
  return (isAbsolute ? posix.basename(resolved) : resolved.slice(1)) || "unnamed";
}
