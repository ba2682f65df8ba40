/** A block of more links than this gets none of their targets. Each one is looked for in the whole block. */
export const maxLinksLookedAt = 100;

/** More links than this in one block are left out: they are references of dense prose, and would bury its words. */
const maxLinksOfBlock = 3;

/**
 * A block's text with the targets of its links behind it, as Markdown links, so that the sentences themselves stay whole and
 * can be searched and quoted. Only web addresses are kept.
 */
export function withLinks(text: string, links: readonly { text: string; url: string }[]): string {
  if (links.length > maxLinksLookedAt) return text;
  const targets = new Map<string, string>();
  for (const link of links) {
    const words = link.text.replace(/\s+/g, " ").trim();
    if (words === "" || !/^https?:\/\//i.test(link.url) || text.includes(link.url)) continue;
    const before = targets.get(link.url);
    targets.set(link.url, before === undefined ? words : `${before} ${words}`);
    if (targets.size > maxLinksOfBlock) return text;
  }
  if (targets.size === 0 || text.trim() === "") return text;
  const only = targets.size === 1 ? [...targets][0] : undefined;
  if (only !== undefined && only[1] === text.replace(/\s+/g, " ").trim()) return `[${only[1]}](${only[0]})`;
  return `${text.trimEnd()} ${[...targets].map(([url, words]) => `[${words}](${url})`).join(" ")}`;
}
