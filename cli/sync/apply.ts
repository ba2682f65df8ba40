import type { KnowledgeClient } from "@agent-backends/client";
import { CommandError } from "../command.ts";
import type { Outcome } from "../upload/send.ts";
import { sendAll } from "../upload/send.ts";
import type { Manifest } from "./manifest.ts";
import type { Plan, PlannedFile } from "./plan.ts";

/** Up to this many new files are looked up one by one; for more, the whole namespace is listed. */
const maxSingleLookups = 50;
/** A folder that lost more than half of its files may be a disk that isn't mounted. */
const minSuspiciousDeletions = 10;

interface Target {
  client: KnowledgeClient;
  namespace: string;
  prefix: string;
  signal: AbortSignal;
}

/** `file:docs/guide/a.md` */
export const sourceOf = (prefix: string, name: string): string => `file:${prefix === "" ? "" : `${prefix}/`}${name}`;

/** @throws CommandError if the plan deletes so much that the folder may not be the one that was meant */
export function refuseSuspiciousDeletions(plan: Plan, manifest: Manifest, from: string): void {
  const { size } = manifest.entries;
  const { length } = plan.deleted;
  if (length < minSuspiciousDeletions || length <= size / 2) return;
  throw new CommandError(
    `${length} of ${size} files are gone from ${from}, so that many documents would be deleted. If that is right, add --force; if not, check that the folder is mounted.`,
  );
}

/** New files whose place in the namespace is taken by something that this sync didn't bring. */
export async function findForeign(plan: Plan, { client, namespace, prefix, signal }: Target): Promise<Set<string>> {
  const names = [...plan.added, ...plan.renamed.map(({ file }) => file)].map(({ name }) => name);
  const foreign = new Set<string>();
  if (names.length <= maxSingleLookups) {
    for (const name of names) {
      const page = await client.documentsPage(namespace, { source: sourceOf(prefix, name), limit: 1 }, { signal });
      if (page.documents.length > 0) foreign.add(name);
    }
    return foreign;
  }
  const bySource = new Map(names.map((name) => [sourceOf(prefix, name), name]));
  for await (const { source } of client.documents(namespace, { limit: 100 }, { signal })) {
    const name = bySource.get(source);
    if (name !== undefined) foreign.add(name);
  }
  return foreign;
}

/** The plan without the files that are never to be touched. */
export function withoutFiles(plan: Plan, names: ReadonlySet<string>): Plan {
  const isAllowed = ({ name }: PlannedFile) => !names.has(name);
  return { ...plan, added: plan.added.filter(isAllowed), renamed: plan.renamed.filter(({ file }) => isAllowed(file)) };
}

/** Carries a plan out. Calls `onOutcome` for each file. */
export async function applyPlan(
  plan: Plan,
  manifest: Manifest,
  { client, namespace, prefix, signal }: Target,
  onOutcome: (file: PlannedFile, outcome: Outcome) => void,
): Promise<void> {
  const files = [...plan.added, ...plan.replaced, ...plan.renamed.map(({ file }) => file)];
  for (const { name, entry } of files) manifest.entries.set(name, entry);
  await manifest.save();
  try {
    const uploads = files.map((file) => ({ ...file, file, name: sourceOf(prefix, file.name).slice("file:".length) }));
    await sendAll(client, uploads, {
      fields: { namespace, on_conflict: "replace" },
      signal,
      onOutcome({ file }, outcome) {
        manifest.entries.set(file.name, toEntry(file, outcome));
        onOutcome(file, outcome);
        // A failure to write shows at the save in the end.
        manifest.saveSoon().catch(() => undefined);
      },
    });
    // The new name is stored first, so that the document is never gone in between.
    const isStored = ({ file }: Plan["renamed"][number]) => manifest.entries.get(file.name)?.state === "stored";
    for (const name of [...plan.deleted, ...plan.renamed.filter(isStored).map(({ from }) => from)]) {
      // Loses only this source if the document has another one.
      await client.deleteDocuments(namespace, { source: sourceOf(prefix, name) }, { signal });
      manifest.entries.delete(name);
      await manifest.saveSoon();
    }
  } finally {
    await manifest.save();
  }
}

function toEntry({ entry }: PlannedFile, outcome: Outcome) {
  if (outcome.status !== "error") return { ...entry, state: "stored" as const };
  return { ...entry, state: "failed" as const, error: { code: outcome.code, message: outcome.error } };
}
