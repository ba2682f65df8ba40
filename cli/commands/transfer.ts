import { createWriteStream, existsSync, openAsBlob } from "node:fs";
import { access, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Duplex, Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import type { ExportCounts, UploadProgress } from "@agent-backends/client";
import { KnowledgeClient } from "@agent-backends/client";
import { CommandError, defineCommand, UsageError } from "../command.ts";
import { connect } from "../connect.ts";
import { namespaceOption } from "../options.ts";
import { formatBytes, formatCount, formatDuration, Progress } from "../terminal/progress.ts";

export const exportNamespace = defineCommand({
  name: "export",
  summary: "Export a namespace with its vectors to a file",
  arguments: "[file]",
  completes: "file",
  service: "knowledge",
  details:
    "Without a name, the file is NAMESPACE.ndjson in the current folder; - is the standard output. The file exists only once it is complete.",
  options: namespaceOption,
  examples: ["agents export --namespace manuals", "agents export --namespace manuals - | gzip > manuals.ndjson.gz"],
  async run({ values, positionals: [given, ...others] }, context) {
    if (others.length > 0) throw new UsageError("Name one file: agents export --namespace manuals manuals.ndjson");
    const { out, environment, fetch, now, signal } = context;
    const namespace = values.namespace ?? "default";
    const file = given ?? `${namespace.replace(/[^\p{L}\p{N}._-]/gu, "_")}.ndjson`;
    const client = new KnowledgeClient({ ...connect("knowledge", values, environment), fetch });
    // Fails early with an error that names the folder.
    if (file !== "-") await access(dirname(file));
    const startedAt = now();
    let counts: ExportCounts = { documents: 0, chunks: 0 };
    const onEnd = (whole: ExportCounts) => {
      counts = whole;
    };
    const exported = await client.exportNamespace(namespace, { signal, onEnd });
    let bytes = 0;
    const watch = new Transform({
      transform(chunk: Buffer, _, done) {
        bytes += chunk.length;
        done(undefined, chunk);
      },
    });
    const part = `${file}.part`;
    const destination = file === "-" ? process.stdout : createWriteStream(part);
    try {
      // Standard output stays open for later writes.
      await pipeline(Readable.fromWeb(exported), watch, destination, { signal, end: file !== "-" });
      const { documents, chunks } = counts;
      const replaces = file !== "-" && existsSync(file);
      if (file !== "-") await rename(part, file);
      const text = `${formatCount(documents, "document")} with ${formatCount(chunks, "chunk")}${file === "-" ? "" : ` in ${file}${replaces ? ", which was replaced" : ""}`} · ${formatBytes(bytes)} in ${formatDuration(now() - startedAt)}`;
      if (file === "-") out.note(text);
      else out.result({ namespace, file, documents, chunks, bytes }, text);
    } catch (error) {
      if (file !== "-") await rm(part, { force: true });
      throw error;
    }
  },
});

export const importNamespace = defineCommand({
  name: "import",
  summary: "Import a file of agents export into a namespace",
  arguments: "<file>",
  completes: "file",
  service: "knowledge",
  details:
    "Content that the namespace already has is skipped, so you can repeat an interrupted import. The file may be compressed with gzip.",
  options: {
    ...namespaceOption,
    reembed: { type: "boolean", description: "embed everything again if the namespace has another embedding model" },
  },
  examples: [
    "agents import manuals.ndjson --namespace manuals-copy",
    "agents import manuals.ndjson.gz --namespace manuals-copy",
    "agents import manuals.ndjson -n manuals --reembed",
  ],
  async run({ values, positionals: [file, ...others] }, context) {
    if (file === undefined || others.length > 0) throw new UsageError("Name one file: agents import manuals.ndjson");
    const { out, environment, fetch, now, signal } = context;
    // Fails early with an error that names the file. The error of a blob doesn't.
    if (!(await stat(file)).isFile())
      throw new UsageError(`${file} isn't a file. Name one that agents export has written.`);
    const content = await openAsBlob(file);
    const namespace = values.namespace ?? "default";
    const unpacking = new AbortController();
    const client = new KnowledgeClient({
      ...connect("knowledge", values, environment),
      fetch: (await isGzip(content)) ? unpackBodies(fetch, unpacking) : fetch,
    });
    const startedAt = now();
    const progress = new Progress(out, { items: 1, bytes: content.size, now });
    let sent = 0;
    const onProgress = ({ sentBytes }: UploadProgress) => {
      progress.add(sentBytes - sent);
      sent = sentBytes;
    };
    try {
      const result = await client.importNamespace(namespace, content, {
        reembed: values.reembed,
        signal: AbortSignal.any([signal, unpacking.signal]),
        onProgress,
      });
      const { saved, skipped, chunks, embedded } = result;
      progress.close();
      out.result(
        result,
        `${formatCount(saved, "document")} with ${formatCount(chunks, "chunk")} saved, ${skipped} skipped, ${formatCount(embedded, "chunk")} embedded in ${namespace} · ${formatDuration(now() - startedAt)}`,
      );
    } catch (error) {
      if (!unpacking.signal.aborted) throw error;
      throw new CommandError(`${file} can't be decompressed: ${(unpacking.signal.reason as Error).message}.`);
    } finally {
      progress.close();
    }
  },
});

/** Whether a file starts with the gzip magic bytes (RFC 1952). */
async function isGzip(file: Blob): Promise<boolean> {
  const [first, second] = await file.slice(0, 2).bytes();
  return first === 0x1f && second === 0x8b;
}

/**
 * Wraps fetch to decompress bodies while they are sent: the service accepts no compressed bodies, and limits the decompressed size. Aborts
 * `failed` with the reason if a body can't be decompressed.
 */
function unpackBodies(send: typeof fetch, failed: AbortController): typeof fetch {
  return (url, init) => {
    const packed = new Response(init?.body).body;
    const gunzip = createGunzip().on("error", (error) => failed.abort(error));
    const body = packed?.pipeThrough(Duplex.toWeb(gunzip) as TransformStream<Uint8Array, Uint8Array>) ?? null;
    const streamed: RequestInit & { duplex: "half" } = { ...init, body, duplex: "half" };
    return send(url, streamed);
  };
}
