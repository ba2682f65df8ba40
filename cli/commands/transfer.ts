import { createWriteStream, openAsBlob } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ConnectionError, ProblemError } from "@agent-backends/client";
import type { Context } from "../command.ts";
import { CommandError, defineCommand, UsageError } from "../command.ts";
import { connect } from "../connect.ts";
import { namespaceOption } from "../options.ts";
import { formatBytes, formatDuration, Progress } from "../terminal/progress.ts";

/** More than the last line of an export takes, which says whether the file is whole. */
const tailBytes = 4_096;

interface Target {
  baseUrl: string;
  headers: Record<string, string>;
  namespace: string;
  /** `export`, or `import` with its query. */
  action: string;
}

/** Sends a request whose body or response is a file. @throws ProblemError, ConnectionError */
async function transfer(
  { baseUrl, headers, namespace, action }: Target,
  init: RequestInit,
  { fetch, signal }: Context,
) {
  const url = `${baseUrl}/api/namespaces/${encodeURIComponent(namespace)}/${action}`;
  const response = await fetch(url, { ...init, headers: { ...headers, ...init.headers }, signal }).catch(
    (error: unknown) => {
      signal.throwIfAborted();
      throw new ConnectionError(url, error);
    },
  );
  if (!response.ok) throw new ProblemError(response, await response.text());
  return response;
}

export const exportNamespace = defineCommand({
  name: "export",
  summary: "Write a namespace with its vectors into one file",
  arguments: "[file]",
  completes: "file",
  service: "knowledge",
  details:
    "Without a name, the file is NAMESPACE.ndjson in the current folder; - is the standard output. The file is complete or isn't there.",
  options: namespaceOption,
  examples: ["agents export --namespace manuals", "agents export --namespace manuals - | gzip > manuals.ndjson.gz"],
  async run({ values, positionals: [given, ...others] }, context) {
    if (others.length > 0) throw new UsageError("Name one file: agents export --namespace manuals manuals.ndjson");
    const { out, environment, now, signal } = context;
    const namespace = values.namespace ?? "default";
    const file = given ?? `${namespace.replace(/[^\p{L}\p{N}._-]/gu, "_")}.ndjson`;
    const target = { ...connect("knowledge", values, environment), namespace, action: "export" };
    const startedAt = now();
    const response = await transfer(target, {}, context);
    if (!response.body) throw new CommandError("The service sent no export.");
    let bytes = 0;
    let tail = Buffer.alloc(0);
    const watch = new Transform({
      transform(chunk: Buffer, _, done) {
        bytes += chunk.length;
        tail = Buffer.concat([tail, chunk]).subarray(-tailBytes);
        done(undefined, chunk);
      },
    });
    const part = `${file}.part`;
    const destination = file === "-" ? process.stdout : createWriteStream(part);
    try {
      // The standard output stays open for what else may be written there.
      await pipeline(Readable.fromWeb(response.body), watch, destination, { signal, end: file !== "-" });
      const { documents, chunks } = parseTrailer(tail);
      if (file !== "-") await rename(part, file);
      const text = `${documents} documents with ${chunks} chunks in ${file} · ${formatBytes(bytes)} in ${formatDuration(now() - startedAt)}`;
      if (file === "-") out.note(text);
      else out.result({ namespace, file, documents, chunks, bytes }, text);
    } catch (error) {
      if (file !== "-") await rm(part, { force: true });
      throw error;
    }
    return undefined;
  },
});

/** The last line of a whole export. @throws CommandError if it is another one */
function parseTrailer(tail: Buffer): { documents: number; chunks: number } {
  const line = tail.toString("utf8").trimEnd().split("\n").at(-1) ?? "";
  let trailer: { type?: string; message?: string; documents?: number; chunks?: number } = {};
  try {
    trailer = JSON.parse(line) as typeof trailer;
  } catch {
    // The end of a longer line: the file was cut off.
  }
  const { type, documents, chunks, message = "the connection ended early" } = trailer;
  if (type === "trailer" && documents !== undefined && chunks !== undefined) return { documents, chunks };
  throw new CommandError(`The export is not whole, so nothing was kept: ${message}.`);
}

export const importNamespace = defineCommand({
  name: "import",
  summary: "Read a file of agents export into a namespace",
  arguments: "<file>",
  completes: "file",
  service: "knowledge",
  details: "What the namespace has already is skipped, so an import that was interrupted can be run again.",
  options: {
    ...namespaceOption,
    reembed: { type: "boolean", description: "embed everything anew if the namespace has another embedding model" },
  },
  examples: [
    "agents import manuals.ndjson --namespace manuals-copy",
    "agents import manuals.ndjson -n manuals --reembed",
  ],
  async run({ values, positionals: [file, ...others] }, context) {
    if (file === undefined || others.length > 0) throw new UsageError("Name one file: agents import manuals.ndjson");
    const { out, environment, now } = context;
    const content = await openAsBlob(file);
    const namespace = values.namespace ?? "default";
    const action = values.reembed ? "import?reembed=true" : "import";
    const target = { ...connect("knowledge", values, environment), namespace, action };
    const startedAt = now();
    const progress = new Progress(out, { items: 1, bytes: content.size, now });
    const counted = Readable.fromWeb(content.stream()).map((chunk: Uint8Array) => {
      progress.add(chunk.length);
      return chunk;
    });
    const init = {
      method: "POST",
      headers: { "Content-Type": "application/x-ndjson" },
      body: Readable.toWeb(counted),
      duplex: "half",
    } as unknown as RequestInit;
    try {
      const response = await transfer(target, init, context);
      const result = (await response.json()) as { saved: number; skipped: number; chunks: number; embedded: number };
      const { saved, skipped, chunks, embedded } = result;
      progress.close();
      out.result(
        result,
        `${saved} documents with ${chunks} chunks saved, ${skipped} skipped, ${embedded} chunks embedded in ${namespace} · ${formatDuration(now() - startedAt)}`,
      );
    } finally {
      progress.close();
    }
    return undefined;
  },
});
