import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { parseAst } from "vite";

export interface Import {
  /** The importing file, relative to the project's root. */
  from: string;
  /** As written: a package, a package's entry, or a relative path. */
  specifier: string;
  /** The imported file, relative to the project's root. Undefined if the specifier isn't relative. */
  to: string | undefined;
}

interface Node {
  type?: string;
  source?: { value?: unknown };
}

/** All imports in the TypeScript files that match a pattern, including dynamic and type-only ones. */
export function listImports(root: string, patterns: readonly string[]): Import[] {
  const files = globSync(patterns, { cwd: root, exclude: (path) => /(^|\/)(node_modules|dist)(\/|$)/.test(path) });
  return files.flatMap((from) => {
    const specifiers: string[] = [];
    visit(parseAst(readFileSync(join(root, from), "utf8"), { lang: from.endsWith("x") ? "tsx" : "ts" }), (node) => {
      const value = node.type?.match(/^(Import|Export|TSImport)/) && node.source?.value;
      if (typeof value === "string") specifiers.push(value);
    });
    return specifiers.map((specifier) => ({
      from,
      specifier,
      to: specifier.startsWith(".") ? normalize(join(dirname(from), specifier)) : undefined,
    }));
  });
}

/** The files of each import cycle found, in the order in which they import each other. */
export function findCycles(imports: readonly Import[]): string[][] {
  const importedBy = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const cycles: string[][] = [];
  const follow = (file: string, path: readonly string[]) => {
    if (path.includes(file)) cycles.push(path.slice(path.indexOf(file)));
    else if (!done.has(file)) {
      for (const { to } of importedBy.get(file) ?? []) if (to !== undefined) follow(to, [...path, file]);
      done.add(file);
    }
  };
  for (const file of importedBy.keys()) follow(file, []);
  return cycles;
}

function visit(value: unknown, onNode: (node: Node) => void): void {
  if (typeof value !== "object" || value === null) return;
  if ("type" in value) onNode(value as Node);
  for (const child of Object.values(value)) visit(child, onNode);
}
