import type { InvalidField } from "@agent-backends/contract";

const maxAddressCharacters = 2_000;
const scheme = /^\s*https?:\/\//i;
const address = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?::\d+)?(?:[/?#]\S*)?$/u;
/** Distinguishes addresses such as "example.com" and "example.ch/docs" from file names such as "notes.md". */
const notFileName = /^www\.|\/|\.(?:com|org|net|edu|gov|info|io|dev)$/i;

/** The type of a source that was sent as a plain string. */
export const getStringType = (value: string): "url" | "text" => (scheme.test(value) ? "url" : "text");

/** Finds addresses that are stored as one-line texts, although their sender probably wants the pages. */
export function findUnfetchedAddresses(sources: readonly unknown[]): InvalidField[] {
  return sources.flatMap((source, position) => {
    if (typeof source === "string") return scheme.test(source) ? [] : describeUnfetched(source, `/sources/${position}`);
    const { type, value } = (source ?? {}) as { type?: unknown; value?: unknown };
    return type === "url" ? [] : describeUnfetched(value, `/sources/${position}/value`);
  });
}

export function describeUnfetched(value: unknown, pointer: string): InvalidField[] {
  if (typeof value !== "string" || value.length > maxAddressCharacters) return [];
  const word = value.trim();
  const host = word.replace(scheme, "");
  if (!address.test(host) || !(scheme.test(word) || notFileName.test(host))) return [];
  const fix = scheme.test(word) ? "use the type url" : `use https://${host}`;
  return [{ pointer, detail: `looks like an address, but is stored as a text; to fetch the page, ${fix}` }];
}
