import { problems } from "@agent-backends/contract";
import type { Principal } from "@agent-backends/kit/auth";
import type { NamespaceStore } from "../store/knowledge-store.ts";

/** Maximum number of cached namespaces that are known to exist. The cache saves most ingests from listing the store. */
const maxKnownNamespaces = 10_000;

/** Limits how many namespaces a key may create if it is allowed patterns such as `team-*`. */
export class NamespaceLimit {
  readonly #store: Pick<NamespaceStore, "listNamespaces">;
  readonly #maxPerKey: number;
  readonly #known = new Set<string>();

  constructor(store: Pick<NamespaceStore, "listNamespaces">, maxPerKey: number) {
    this.#store = store;
    this.#maxPerKey = maxPerKey;
  }

  /** @throws ProblemError `conflict` if the namespace is new and the key already has its maximum */
  async requireRoom(principal: Principal, namespace: string): Promise<void> {
    if (this.#known.has(namespace) || !principal.namespaces.some((name) => name.includes("*"))) return;
    const existing = await this.#store.listNamespaces();
    if (existing.includes(namespace)) {
      if (this.#known.size >= maxKnownNamespaces) this.#known.clear();
      this.#known.add(namespace);
      return;
    }
    if (existing.filter((name) => principal.canAccess(name)).length < this.#maxPerKey) return;
    throw problems.tooManyNamespaces(namespace, this.#maxPerKey);
  }
}
