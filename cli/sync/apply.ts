import type { CustomMetadata, KnowledgeClient } from "@agent-backends/client";
import { CommandError } from "../command.ts";
import type { Outcome } from "../upload/send.ts";
import { sendAll } from "../upload/send.ts";
import type { Entry, Manifest } from "./manifest.ts";
import type { Plan, PlannedItem } from "./plan.ts";

/** Up to this number, new names are looked up one by one. For more, the whole namespace is listed. */
const maxSingleLookups = 50;
/** If a folder loses more than half of its files, its disk may not be mounted. A sitemap may be half written. */
const minSuspiciousDeletions = 10;

interface Target {
  client: KnowledgeClient;
  namespace: string;
  /** Stored with each document that is sent. */
  metadata: CustomMetadata | undefined;
  signal: AbortSignal;
}

/** @throws CommandError if the plan deletes so much that the folder may be the wrong one */
export function refuseSuspiciousDeletions(plan: Plan, manifest: Manifest, from: string): void {
  const { size } = manifest.entries;
  const { length } = plan.deleted;
  if (length < minSuspiciousDeletions || length <= size / 2) return;
  throw new CommandError(
    `${length} of ${size} are gone from ${from}, so many documents would be deleted. If that is intended, add --force; otherwise check that the folder is mounted.`,
  );
}

/**
 * Marks entries that the namespace may have lost as pending, so that they are sent again. The service skips those that it still has. Marks
 * all entries if the namespace lacks the latest stored document, or if `isThorough`. Returns whether it did.
 */
export async function forgetMissing(
  manifest: Manifest,
  { client, namespace, signal }: Target,
  isThorough: boolean,
): Promise<boolean> {
  const stored = [...manifest.entries.values()].filter(({ state }) => state === "stored");
  if (stored.length === 0) return false;
  const { latest } = manifest;
  const find = async (source?: string) =>
    (await client.documentsPage(namespace, { source, limit: 1 }, { signal })).documents;
  const [same] = latest ? await find(manifest.entries.get(latest.name)?.source) : [];
  if (same && same.hash === latest?.hash && !isThorough) return false;
  const isEmpty = (await find()).length === 0;
  // Manifests of earlier versions don't record their latest document.
  if (!isEmpty && !isThorough && !latest) return false;
  for (const entry of stored) {
    entry.state = "pending";
    if (isEmpty) entry.isNew = true;
  }
  return true;
}

/** Finds new files and pages whose source in the namespace belongs to something that this sync didn't store. */
export async function findForeign(
  plan: Plan,
  manifest: Manifest,
  { client, namespace, signal }: Target,
): Promise<Set<string>> {
  const planned = [...plan.added, ...plan.renamed.map(({ item }) => item)];
  // Names in the manifest may have been stored by an interrupted run.
  const items = planned.filter(({ name }) => !manifest.entries.has(name));
  const foreign = new Set<string>();
  if (items.length <= maxSingleLookups) {
    for (const { name, entry } of items) {
      const page = await client.documentsPage(namespace, { source: entry.source, limit: 1 }, { signal });
      if (page.documents.length > 0) foreign.add(name);
    }
    return foreign;
  }
  const bySource = new Map(items.map(({ name, entry }) => [entry.source, name]));
  for await (const { source } of client.documents(namespace, { limit: 100 }, { signal })) {
    const name = bySource.get(source) ?? bySource.get(source.normalize("NFC"));
    if (name !== undefined) foreign.add(name);
  }
  return foreign;
}

/** The plan without the given names, which must not be touched. */
export function withoutNames(plan: Plan, names: ReadonlySet<string>): Plan {
  const isAllowed = ({ name }: PlannedItem) => !names.has(name);
  return { ...plan, added: plan.added.filter(isAllowed), renamed: plan.renamed.filter(({ item }) => isAllowed(item)) };
}

/** Executes a plan. Calls `onOutcome` for each file or page. */
export async function applyPlan(
  plan: Plan,
  manifest: Manifest,
  { client, namespace, metadata, signal }: Target,
  onOutcome: (item: PlannedItem, outcome: Outcome) => void,
): Promise<void> {
  const items = [...plan.added, ...plan.replaced, ...plan.renamed.map(({ item }) => item)];
  for (const { name, entry } of items) manifest.entries.set(name, entry);
  await manifest.save();
  try {
    await sendAll(
      client,
      items.map((item) => ({ ...item.upload, item })),
      {
        fields: { namespace, on_conflict: "replace", metadata },
        signal,
        onOutcome({ item }, outcome) {
          manifest.entries.set(item.name, toEntry(item, outcome));
          // The latest document's file may change to content that the namespace already has, for example when two files swap names.
          const isLatest = outcome.status === "saved" || manifest.latest?.name === item.name;
          if (isLatest && outcome.status !== "error") manifest.latest = { name: item.name, hash: outcome.hash };
          onOutcome(item, outcome);
          // The final save reports write failures.
          manifest.saveSoon().catch(() => undefined);
        },
      },
    );
    // Store the new name first, so that the document never disappears in between.
    const isStored = ({ item }: Plan["renamed"][number]) => manifest.entries.get(item.name)?.state === "stored";
    const gone = new Map<string, PlannedItem | undefined>(plan.deleted.map((name) => [name, undefined]));
    for (const { from, item } of plan.renamed.filter(isStored)) gone.set(from, item);
    for (const [name, renamed] of gone) {
      const source = manifest.entries.get(name)?.source;
      const before = renamed && (await findShown(source));
      // If the document has another source, this deletes only the source.
      if (source !== undefined) await client.deleteDocuments(namespace, { source }, { signal });
      // A title that ends the source is just the old file name.
      if (before && !before.source.endsWith(before.title)) await keepTitle(renamed.name, before.title);
      manifest.entries.delete(name);
      if (manifest.latest?.name === name) manifest.latest = undefined;
      await manifest.saveSoon();
    }
  } finally {
    await manifest.save();
  }

  /** The document of a source, unless its displayed title comes from another source. */
  async function findShown(source: string | undefined) {
    if (source === undefined) return undefined;
    const { documents } = await client.documentsPage(namespace, { source, limit: 1 }, { signal });
    return documents.find((document) => document.source === source);
  }

  async function keepTitle(name: string, title: string): Promise<void> {
    const document = await findShown(manifest.entries.get(name)?.source);
    if (document === undefined || document.title === title) return;
    await client.updateDocument(namespace, document.document_id, { title }, { signal });
  }
}

function toEntry({ entry }: PlannedItem, outcome: Outcome): Entry {
  const { isNew: _, ...stored } = entry;
  if (outcome.status !== "error") {
    return { ...stored, source: outcome.source, textHash: outcome.hash, state: "stored" };
  }
  return { ...entry, state: "failed", error: { code: outcome.code, message: outcome.error } };
}
