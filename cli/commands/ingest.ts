import { stat } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { KnowledgeClient } from "@agent-backends/client";
import type { Context } from "../command.ts";
import { defineCommand, exitCodes, UsageError } from "../command.ts";
import { connect, uploadRetry } from "../connect.ts";
import { metadataOption, namespaceOption, parseFields, walkOptions } from "../options.ts";
import { formatBytes, formatDuration, Progress } from "../terminal/progress.ts";
import type { Outcome, Upload } from "../upload/send.ts";
import { sendAll } from "../upload/send.ts";
import type { WalkOptions } from "../upload/walk.ts";
import { describeExcluded, walk } from "../upload/walk.ts";

export const ingest = defineCommand({
  name: "ingest",
  summary: "Add files, folders and web pages to a namespace",
  arguments: "<file|folder|address…>",
  completes: "file",
  service: "knowledge",
  details: `A file in a folder keeps the folder's name: docs/guide/a.md. Content that the namespace already has is skipped.
To keep a folder and a namespace the same from now on, use agents sync.`,
  options: {
    ...namespaceOption,
    replace: { type: "boolean", description: "replace what was stored from the same file or address" },
    ...metadataOption,
    ...walkOptions,
  },
  examples: [
    "agents ingest README.md docs --namespace manuals",
    "agents ingest https://example.com/guide --namespace manuals",
    "agents ingest reports --include '*.pdf' --metadata team=legal --metadata year=2026 --replace",
  ],
  async run({ values, positionals }, context) {
    const { out, environment, fetch, signal, now } = context;
    if (positionals.length === 0) throw new UsageError("Name files, folders or addresses: agents ingest docs");
    const metadata = parseFields(values.metadata, "--metadata");
    const { uploads, problems } = await collect(positionals, values, context);
    const client = new KnowledgeClient({ ...connect("knowledge", values, environment), fetch, retry: uploadRetry });
    const totalBytes = uploads.reduce((sum, upload) => sum + getUploadSize(upload), 0);
    const progress = new Progress(out, { items: uploads.length, bytes: totalBytes, now, resumesAfter: signal });
    const startedAt = now();
    const outcomes: Outcome[] = [...problems];
    try {
      await sendAll(client, uploads, {
        canFollowJobs: await canFollowJobs(client, signal),
        fields: {
          namespace: values.namespace,
          on_conflict: values.replace ? "replace" : "keep",
          metadata,
        },
        signal,
        onOutcome(upload, outcome) {
          outcomes.push(outcome);
          progress.add(getUploadSize(upload));
        },
      });
    } finally {
      progress.close();
    }
    const pick = (status: Outcome["status"]) => outcomes.filter((outcome) => outcome.status === status);
    const [saved, skipped, errors] = [pick("saved"), pick("skipped"), pick("error")];
    for (const outcome of outcomes) {
      if (outcome.status === "error") out.note(`${outcome.source}: ${outcome.error} (${outcome.code})`);
      if (outcome.status === "saved" && outcome.warning) out.note(`${outcome.source}: ${outcome.warning}`);
    }
    const elapsedMs = now() - startedAt;
    out.result(
      { namespace: values.namespace ?? "default", saved, skipped, errors, elapsed_ms: elapsedMs },
      `${saved.length} saved, ${skipped.length} skipped, ${errors.length} failed in ${values.namespace ?? "default"} · ${formatBytes(totalBytes)} in ${formatDuration(elapsedMs)}`,
    );
    return errors.length > 0 ? exitCodes.failed : exitCodes.ok;
  },
});

/** Following a job requires the scope `read`. A service that isn't ready doesn't report the key's scopes. */
async function canFollowJobs(client: KnowledgeClient, signal: AbortSignal): Promise<boolean> {
  try {
    const { scopes } = await client.ready({ signal });
    return scopes === undefined || scopes.includes("read") || scopes.includes("admin");
  } catch {
    return true;
  }
}

const getUploadSize = (upload: Upload): number => ("size" in upload ? upload.size : 0);

async function collect(
  names: readonly string[],
  options: WalkOptions,
  { out }: Context,
): Promise<{ uploads: Upload[]; problems: Outcome[] }> {
  const uploads: Upload[] = [];
  const problems: Outcome[] = [];
  for (const name of names) {
    if (/^https?:\/\//i.test(name)) {
      uploads.push({ address: name });
      continue;
    }
    const about = await stat(name);
    if (!about.isDirectory()) {
      uploads.push({ path: name, name: basename(name), size: about.size });
      continue;
    }
    const { files, excludedCounts, unreadable } = await walk(name, options);
    const folder = basename(resolve(name));
    for (const file of files) uploads.push({ path: file.path, name: join(folder, file.name), size: file.size });
    for (const { name: below, error } of unreadable) {
      problems.push({ status: "error", source: `file:${folder}/${below}`, code: "unreadable", error });
    }
    if (excludedCounts.size > 0) out.note(`Left out of ${name}: ${describeExcluded(excludedCounts)}`);
  }
  return { uploads, problems };
}
