const maxCharacters = 128;

/** What is wrong with a namespace's name, by the rules of the service; `undefined` where nothing is. */
export function findNameProblem(name: string): string | undefined {
  if (name.trim() === "") return "Give the namespace a name.";
  if (!name.isWellFormed()) return "The name holds half of a character.";
  if ([...name].length > maxCharacters) return `The name has more than ${maxCharacters} characters.`;
  if (/\p{Cc}/u.test(name)) return "The name holds a control character, such as a tab.";
  return name === "." || name === ".." ? "The names . and .. can't be used, since they mean folders." : undefined;
}

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
