import type { NamespacesResponse } from "@agent-backends/client";
import { ProblemError } from "@agent-backends/client";
import { browserStorage } from "../browser-storage.ts";
import { knowledgeAt } from "../connections/clients.ts";
import type { Connection } from "../connections/connections.ts";

const maxNameLength = 128;

/** Why the service would refuse a namespace's name, or undefined if it is valid. */
export function findNameProblem(name: string): string | undefined {
  if (name.trim() === "") return "Give the namespace a name.";
  if (!name.isWellFormed()) return "The name contains an incomplete character.";
  if ([...name].length > maxNameLength) return `The name has more than ${maxNameLength} characters.`;
  if (/\p{Cc}/u.test(name)) return "The name contains a control character, such as a tab.";
  return name === "." || name === ".." ? "The names . and .. can't be used, since they mean folders." : undefined;
}

const storageKey = "namespace";

export const defaultNamespace = "default";

/** The namespace that was last selected in this browser. */
export function readNamespace(): string {
  const stored = browserStorage.read(storageKey);
  return stored === undefined || findNameProblem(stored) ? defaultNamespace : stored;
}

export function storeNamespace(namespace: string): void {
  browserStorage.write(storageKey, namespace);
}

/** Maximum number of listed namespaces. Others can be selected by typing their name. */
export const maxListedNamespaces = 100;

export type NamespaceSummary = NamespacesResponse["namespaces"][number];

/** The namespaces that contain documents. */
export async function listNamespaces(connection: Connection, signal: AbortSignal): Promise<NamespaceSummary[]> {
  const { namespaces } = await knowledgeAt(connection).namespacesPage({ limit: maxListedNamespaces }, { signal });
  return namespaces;
}

/** The given namespace, or another one if the key may not use it. The service lists only namespaces that the key may use. */
export async function findAllowedNamespace(connection: Connection, namespace: string): Promise<string> {
  const [first] = await knowledgeAt(connection)
    .namespacesPage({ limit: 1 })
    .then(({ namespaces }) => namespaces);
  if (!first) return namespace;
  return knowledgeAt(connection)
    .documentsPage(namespace, { limit: 1 })
    .then(
      () => namespace,
      (error: unknown) => (error instanceof ProblemError && error.status === 403 ? first.namespace : namespace),
    );
}
