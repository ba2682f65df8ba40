import { findNameProblem } from "./namespace-name.ts";

const key = "namespace";

export const fallbackNamespace = "default";

/** The namespace that was chosen last in this browser. */
export function storedNamespace(): string {
  const stored = localStorage.getItem(key);
  return stored === null || findNameProblem(stored) ? fallbackNamespace : stored;
}

/** Keeps the chosen namespace for when the page is loaded again. */
export function storeNamespace(namespace: string): void {
  localStorage.setItem(key, namespace);
}
