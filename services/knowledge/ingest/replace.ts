import type { KnowledgeStore, KnownSources } from "../store/knowledge-store.ts";

/** Writers that replace one source by different contents at the same time; beyond this the last one gives up. */
const attemptsAtMost = 5;

/** Replacements of one source in this process come one after the other. */
const running = new Map<string, Promise<unknown>>();

/** `text:0` is the first text of any request: one of them says nothing of another, and none is ever replaced. */
export const isPositional = (source: string): boolean => /^(?:text|markdown):\d+$/.test(source);

/** Whether stored content stays as long as this source has it. What has come as a text stays in any case. */
export const isKeptFor = (source: string, { sources, hasMore }: KnownSources): boolean =>
  hasMore || sources.includes(source) || sources.some(isPositional);

/**
 * Saves a document and then takes those of the same source with other content from it, which are deleted unless other
 * sources have them. The new one is there for good before an old one goes, so that a crash in between leaves both, which the next
 * replacement heals, and never none. Writers in other processes may replace the same source at the same time: whoever
 * finds its own document gone saves it again, so that one of them stays.
 *
 * @param save stores the document; `undefined` when its content is there already
 * @returns also how many documents were deleted
 */
export async function makeOnlyOneOfSource<Saved>(
  store: KnowledgeStore,
  { namespace, source, hash }: { namespace: string; source: string; hash: string },
  save: () => Promise<Saved | undefined>,
): Promise<{ saved: Saved | undefined; replaced: number }> {
  return inTurn(JSON.stringify([namespace, source]), async () => {
    let saved = await save();
    let replaced = 0;
    for (let attempt = 1; attempt <= attemptsAtMost; attempt++) {
      const others = (await store.findBySource(namespace, source)).filter((document) => document.hash !== hash);
      for (const { id } of others) replaced += Number(await store.removeSource(namespace, id, source));
      const known = await store.sourcesOf(namespace, hash);
      if (known && isKeptFor(source, known)) return { saved, replaced };
      saved = (await save()) ?? saved;
    }
    throw new Error(`The documents of the source ${source} are replaced by others at the same time.`);
  });
}

async function inTurn<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
  const before = running.get(key);
  const mine = (before ?? Promise.resolve()).then(work, work);
  running.set(key, mine);
  try {
    return await mine;
  } finally {
    if (running.get(key) === mine) running.delete(key);
  }
}
