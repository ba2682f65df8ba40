const storageKey = "confirmed-addresses";
const maxConfirmed = 50;

/** The base URLs that the user has chosen or confirmed in this browser, newest last. */
export function readConfirmed(): string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? "[]");
    return Array.isArray(stored) ? stored.filter((address) => typeof address === "string") : [];
  } catch {
    // Without storage, or with something else in it, the user is asked again.
    return [];
  }
}

export function confirmAddresses(addresses: readonly string[]): void {
  const all = [...new Set([...readConfirmed(), ...addresses])].slice(-maxConfirmed);
  try {
    localStorage.setItem(storageKey, JSON.stringify(all));
  } catch {
    // A browser that stores nothing asks again on the next visit.
  }
}
