import { existsSync, watch } from "node:fs";
import { realpath, stat } from "node:fs/promises";
import { basename, join, matchesGlob } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { KnowledgeClient } from "@agent-backends/client";
import type { Context, Values } from "../command.ts";
import { CommandError, defineCommand, exitCodes, UsageError } from "../command.ts";
import { connect, uploadRetry } from "../connect.ts";
import { toCommandError } from "../failures.ts";
import { metadataOption, namespaceOption, parseFields, walkOptions } from "../options.ts";
import { applyPlan, findForeign, forgetMissing, refuseSuspiciousDeletions, withoutNames } from "../sync/apply.ts";
import type { SyncPair } from "../sync/manifest.ts";
import { defaultManifestPath, Manifest } from "../sync/manifest.ts";
import { refuseMovedFolder } from "../sync/moved.ts";
import type { Plan } from "../sync/plan.ts";
import { planFiles, planPages } from "../sync/plan.ts";
import type { Failure, Warning } from "../sync/report.ts";
import { Reports } from "../sync/report.ts";
import { Progress } from "../terminal/progress.ts";
import { describeExcluded, walk } from "../upload/walk.ts";

/** Editors save a file in several steps, so wait before reading it. */
const watchDelayMs = 500;
/** Network file systems don't report changes made by other machines. */
const rescanIntervalMs = 60_000;

const options = {
  ...namespaceOption,
  ...metadataOption,
  "dry-run": { type: "boolean", description: "show what would be done, and change nothing" },
  watch: { type: "boolean", short: "w", description: "keep running, and sync after each change" },
  as: { type: "string", value: "NAME", description: "the folder's name in sources (default: its own name)" },
  state: { type: "string", value: "FILE", completes: "file", description: "file that records the synced documents" },
  adopt: { type: "boolean", description: "take over documents with the same names that this sync didn't create" },
  force: { type: "boolean", description: "delete even if more than half of the files are gone" },
  retry: { type: "boolean", description: "retry files that could not be read before" },
  verify: {
    type: "boolean",
    description: "send everything again, for example after the store was restored; the service skips unchanged files",
  },
  ...walkOptions,
} as const;

export const sync = defineCommand({
  name: "sync",
  summary: "Keep a namespace the same as a folder, or as the pages of a sitemap",
  arguments: "<folder|sitemap>",
  completes: "folder",
  service: "knowledge",
  details: `Adds new files, replaces changed ones, renames without embedding again, and deletes documents of removed files. It never deletes
documents that it didn't create. Run it again at any time, also after an interruption: unchanged files aren't sent. For a sitemap,
--include and --exclude take paths, such as '/docs/**'.`,
  options,
  examples: [
    "agents sync docs --namespace manuals",
    "agents sync docs --namespace manuals --dry-run",
    "agents sync docs --namespace manuals --watch",
    "agents sync https://example.com/sitemap.xml --namespace site --include '/docs/**'",
    "agents sync . --namespace code --include '*.md' --exclude drafts --state ./sync.json",
  ],
  async run({ values, positionals: [given, ...others] }, context) {
    if (given === undefined || others.length > 0) throw new UsageError("Name one folder or sitemap: agents sync docs");
    const { environment, fetch, signal, out } = context;
    const connection = connect("knowledge", values, environment);
    const isSitemap = isAddress(given);
    if (isSitemap && values.watch)
      throw new UsageError("--watch works only for folders; for a sitemap, run agents sync at intervals.");
    const from = isSitemap ? new URL(given).href : await findFolder(given);
    const pair: SyncPair = {
      from,
      prefix: isSitemap ? "" : (values.as ?? basename(from)).replace(/^\/+|\/+$/g, ""),
      namespace: values.namespace?.trim() || "default",
      baseUrl: connection.baseUrl,
    };
    const path = values.state ?? defaultManifestPath(pair, environment);
    await using manifest = await Manifest.open(path, pair, { isReadOnly: values["dry-run"] === true });
    const client = new KnowledgeClient({ ...connection, fetch, retry: uploadRetry });
    const reports = new Reports(pair, out);
    const once = async () => {
      // Uploads retry for a long time because the service may be restarting. This request fails at once if there is no service.
      await new KnowledgeClient({ ...connection, fetch }).documentsPage(pair.namespace, { limit: 1 }, { signal });
      return syncOnce(pair, manifest, client, values, reports, context);
    };
    if (!values.watch) return (await once()) ? exitCodes.ok : exitCodes.failed;
    out.note(`Watching ${from}. Ctrl-C ends it.`);
    for await (const _ of watchChanges(from, signal)) {
      try {
        await once();
      } catch (error) {
        // The service may be restarting, for example. The next round tries again.
        const failure = toCommandError(error);
        if (signal.aborted || !failure) throw error;
        reports.printFailure(failure);
      }
    }
    return exitCodes.interrupted;
  },
});

/** Yields at once, and then after each change in the folder, until the signal aborts. */
async function* watchChanges(folder: string, signal: AbortSignal): AsyncGenerator<void> {
  let changed = Promise.withResolvers<void>();
  const watcher = watch(folder, { recursive: true }, () => changed.resolve());
  // Without a watcher, for example because there are too many folders to watch, the periodic scan still finds changes.
  watcher.on("error", () => watcher.close());
  signal.addEventListener("abort", () => changed.resolve());
  try {
    while (!signal.aborted) {
      yield;
      const rescan = AbortSignal.any([signal, AbortSignal.timeout(rescanIntervalMs)]);
      await Promise.race([
        changed.promise,
        delay(rescanIntervalMs * 2, undefined, { signal: rescan }).catch(() => undefined),
      ]);
      await delay(watchDelayMs, undefined, { signal }).catch(() => undefined);
      changed = Promise.withResolvers<void>();
      signal.addEventListener("abort", () => changed.resolve());
    }
  } finally {
    watcher.close();
  }
}

const isAddress = (text: string) => /^https?:\/\//i.test(text);

async function findFolder(given: string): Promise<string> {
  const from = await realpath(given);
  if ((await stat(from)).isDirectory()) return from;
  throw new UsageError(`${given} is not a folder; use agents ingest for files.`);
}

async function makePlan(
  { from, prefix }: SyncPair,
  { entries }: Manifest,
  client: KnowledgeClient,
  values: Values<typeof options>,
  context: Context,
): Promise<{ plan: Plan; excludedCounts: string }> {
  const rules = { prefix, retry: values.retry === true, now: context.now };
  if (!isAddress(from)) {
    const found = await walk(from, values);
    return { plan: await planFiles(found, entries, rules), excludedCounts: describeExcluded(found.excludedCounts) };
  }
  const { pages, skipped, truncated, errors } = await client.readSitemap({ url: from }, { signal: context.signal });
  // A page that is missing only because part of the sitemap can't be read must not be deleted.
  if (truncated)
    throw new CommandError(
      `${from} names more pages than one request can list; sync the sitemaps that it consists of one by one.`,
    );
  for (const { url, error } of errors) throw new CommandError(`${url} can't be read, so nothing was done: ${error}`);
  const { include, exclude = [] } = values;
  const wanted = pages.filter(({ url }) => {
    const fits = (glob: string) => matchesGlob(new URL(url).pathname, glob);
    return !exclude.some(fits) && (include === undefined || include.some(fits));
  });
  const leftOut = [
    ...(skipped > 0 ? [`${skipped} of other hosts`] : []),
    ...(wanted.length < pages.length ? [`${pages.length - wanted.length} excluded`] : []),
  ];
  return { plan: planPages(wanted, entries, rules), excludedCounts: leftOut.join(", ") };
}

/** Returns whether everything in the folder is now in the namespace. */
async function syncOnce(
  pair: SyncPair,
  manifest: Manifest,
  client: KnowledgeClient,
  values: Values<typeof options>,
  reports: Reports,
  context: Context,
): Promise<boolean> {
  const { out, signal, now } = context;
  const startedAt = now();
  const metadata = parseFields(values.metadata, "--metadata");
  const target = { client, namespace: pair.namespace, metadata, signal };
  const isVerified = values.verify === true;
  if ((await forgetMissing(manifest, target, isVerified)) && !isVerified) {
    out.note("The namespace has changed since the last sync: all files are checked.");
  }
  const { plan: wanted, excludedCounts } = await makePlan(pair, manifest, client, values, context);
  const isFirst = manifest.entries.size === 0 && values.as === undefined && values.state === undefined;
  if (isFirst && !isAddress(pair.from)) {
    await refuseMovedFolder(wanted, defaultManifestPath(pair, context.environment), pair);
  }
  if (!values.force) refuseSuspiciousDeletions(wanted, manifest, pair.from);
  const foreign = values.adopt ? new Set<string>() : await findForeign(wanted, manifest, target);
  const plan = withoutNames(wanted, foreign);
  const failures: Failure[] = [
    ...[...foreign].map((name) => ({
      name,
      code: "not_ours",
      error:
        "the namespace has a document with this name that this sync didn't create; take it over with --adopt, or store the folder under another name with --as",
    })),
    ...plan.unreadable.map(({ name, error }) => ({ name, code: "unreadable", error })),
    ...plan.stillFailed.map(({ name, error }) => ({ name, code: error.code, error: error.message })),
  ];
  const warnings: Warning[] = [];
  const items = [...plan.added, ...plan.replaced, ...plan.renamed.map(({ item }) => item)];
  const isDryRun = values["dry-run"] === true;
  if (!isDryRun && items.length + plan.deleted.length > 0) {
    const bytes = items.reduce((sum, { size }) => sum + size, 0);
    const progress = new Progress(out, { items: items.length, bytes, now, resumesAfter: signal });
    const unchanged = new Set<string>();
    try {
      await applyPlan(plan, manifest, target, ({ name, size, entry }, outcome) => {
        progress.add(size);
        // The service also skips content that another file had before, for example when two files have swapped names.
        const { textHash } = entry;
        if (outcome.status === "skipped" && !outcome.replaced && (textHash ?? outcome.hash) === outcome.hash)
          unchanged.add(name);
        if (outcome.status === "saved" && outcome.warning) warnings.push({ name, warning: outcome.warning });
        if (outcome.status === "error") failures.push({ name, code: outcome.code, error: outcome.error });
      });
    } finally {
      progress.close();
    }
    // The file was only touched or was sent again after an interruption, or the page has no modification date.
    const replaced = plan.replaced.filter(({ name }) => !unchanged.has(name));
    plan.unchanged += plan.replaced.length - replaced.length;
    plan.replaced = replaced;
  } else if (!isDryRun) await manifest.save();
  const excluded = new Set(plan.deleted.filter((name) => existsSync(join(pair.from, name))));
  reports.print(plan, { failures, warnings, excluded, excludedCounts, isDryRun, elapsedMs: now() - startedAt });
  return failures.length === 0;
}
