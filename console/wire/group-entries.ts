import type { WireEntry } from "./wire-log.ts";

/** Entries that are shown as one: events that carry words of the answer one after the other, or a single entry. */
export interface EntryGroup extends WireEntry {
  entries: readonly WireEntry[];
}

/** Puts events of the same type that carry words, one after the other, into one group. */
export function groupEntries(entries: readonly WireEntry[]): EntryGroup[] {
  const groups: (EntryGroup & { entries: WireEntry[] })[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.words !== undefined && entry.words !== undefined && last.label === entry.label) {
      last.entries.push(entry);
      last.words += entry.words;
    } else groups.push({ ...entry, entries: [entry] });
  }
  return groups;
}

/** Each entry by itself. */
export const singleEntries = (entries: readonly WireEntry[]): EntryGroup[] =>
  entries.map((entry) => ({ ...entry, entries: [entry] }));
