import { readFileSync } from "node:fs";
import type { Import } from "./import-graph.ts";

export interface Rule {
  description: string;
  from: RegExp;
  /** Whether these files may not import a package or a file of the project. */
  forbids: (imported: Import) => boolean;
}

const workspacePackage = (specifier: string) => /^@agent-backends\/([^/]+)/.exec(specifier)?.[1];
const npmPackage = (specifier: string) => /^(@[^/]+\/[^/]+|[^./][^/]*)/.exec(specifier)?.[1];
const isTest = (file: string) => file.endsWith(".test.ts") || /^(console|services\/[^/]+)\/tests\//.test(file);

const onlyPackages =
  (...allowed: string[]) =>
  (imported: Import) => {
    const name = workspacePackage(imported.specifier);
    return name !== undefined && !allowed.includes(name);
  };

const frameworks = /^(fastify|express|cors|@nestjs\/|@fastify\/|fastify-)/;
const outsideTheAdapters = /^services\/[^/]+\/(?!http\/|express\/|nest\/|conformance\/|(?:main|start)\.ts)/;

const architecture = readFileSync(new URL("../../docs/architecture.md", import.meta.url), "utf8");

/** The levels that docs/architecture.md lists for a folder: "  - `console`: `design`; `conversations` and `status`; …" */
function readLevels(folder: string): string[][] {
  const start = `  - \`${folder.replace("packages/", "")}\`: `;
  const [, rest = ""] = architecture.split(start);
  const [list = ""] = rest.split(/\n *- /);
  return list.split(";").map((level) => Array.from(level.matchAll(/`([^`]+)`/g), ([, room = ""]) => room));
}

/** Folders whose subfolders ("rooms") have levels, from the bottom up. Rooms of one level must not import each other. */
export const roomLevels = Object.fromEntries(
  ["console", "packages/kit", "services/knowledge"].map((folder) => [folder, readLevels(folder)]),
);

/** The room of a file in the folder. Files next to the rooms are in none, and tests are above all rooms. */
export const getRoom = (folder: string, file: string): string | undefined =>
  isTest(file) || !file.startsWith(`${folder}/`) ? undefined : /^([^/]+)\//.exec(file.slice(folder.length + 1))?.[1];

const keepLevels = ([folder, levels]: [string, string[][]]): Rule => {
  const getLevel = (room: string) => levels.findIndex((rooms) => rooms.includes(room));
  return {
    description: `a room of ${folder} imports only rooms below it`,
    from: new RegExp(`^${folder}/`),
    forbids: ({ from, to = "" }) => {
      const [room, imported] = [getRoom(folder, from), getRoom(folder, to)];
      return room !== undefined && imported !== undefined && room !== imported && getLevel(imported) >= getLevel(room);
    },
  };
};

/** Rules about which files may import which. docs/architecture.md gives the reasons. */
export const rules: Rule[] = [
  {
    description: "contract imports zod and nothing else",
    from: /^packages\/contract\//,
    forbids: ({ from, specifier, to }) =>
      to === undefined && specifier !== "zod" && !(isTest(from) && /^(vitest$|node:)/.test(specifier)),
  },
  {
    description: "client imports no package: it runs anywhere, and is installed without the others",
    from: /^packages\/client\/(?!tests\/)/,
    forbids: ({ to }) => to === undefined,
  },
  {
    description:
      "kit imports contract; llm imports contract, language, kit's egress, timeouts and turns; language imports no other package",
    from: /^packages\/(kit|language|llm)\//,
    forbids: ({ from, specifier, to }) => {
      const [, name = ""] = from.split("/");
      if (name === "llm" && /^@agent-backends\/kit\/(egress|timeouts|turns)$/.test(specifier)) return false;
      const allowed = { kit: ["contract"], language: [], llm: ["contract", "language"] }[name] ?? [];
      return onlyPackages(...allowed, ...(isTest(from) ? ["testing"] : []))({ from, specifier, to });
    },
  },
  {
    description: "services import packages, never each other",
    from: /^services\//,
    forbids: (imported) =>
      onlyPackages(
        ...(isTest(imported.from) ? ["client"] : []),
        "contract",
        "kit",
        "language",
        "llm",
        "testing",
      )(imported),
  },
  {
    description:
      "cli imports client, contract's manifest of services and kit's auth, .env files and edit distance; only its doctor imports llm",
    from: /^cli\/(?!tests\/)/,
    forbids: ({ from, specifier }) =>
      workspacePackage(specifier) !== undefined &&
      !/^@agent-backends\/(client|contract\/services|kit\/(auth|edit-distance|environment-files))$/.test(specifier) &&
      !(from.startsWith("cli/doctor/") && specifier === "@agent-backends/llm"),
  },
  {
    description: "testing never reaches production code",
    from: /^(packages\/(?!testing)|services\/|cli\/(?!tests\/))/,
    forbids: ({ from, specifier }) =>
      workspacePackage(specifier) === "testing" && !isTest(from) && !/^services\/relay\/conformance\//.test(from),
  },
  {
    description: "nothing imports a main module, the console or a benchmark",
    from: /^(?!console\/)/,
    forbids: ({ to }) => to !== undefined && /(^|\/)main\.ts$|^(console|bench)\//.test(to),
  },
  {
    description: "a relative import stays in its own package",
    from: /^(packages|services|cli)\//,
    forbids: ({ from, to }) => {
      const levels = from.startsWith("cli/") ? 1 : 2;
      return to !== undefined && to.split("/").slice(0, levels).join() !== from.split("/").slice(0, levels).join();
    },
  },
  {
    description: "a service's logic knows no HTTP framework",
    from: outsideTheAdapters,
    forbids: ({ from, specifier }) =>
      !isTest(from) && (frameworks.test(specifier) || specifier === "@agent-backends/kit/fastify"),
  },
  {
    description: "a service's logic does not know its adapters",
    from: outsideTheAdapters,
    forbids: ({ from, to }) => !isTest(from) && to !== undefined && /^services\/[^/]+\/(http|express|nest)\//.test(to),
  },
  {
    description: "each relay needs only its own framework",
    from: /^services\/relay\/(core|http|express)\/.*(?<!\.test)\.ts$/,
    forbids: ({ from, specifier }) =>
      /^(@nestjs\/|rxjs$|reflect-metadata$)/.test(specifier) ||
      (!from.includes("/express/") && specifier === "express"),
  },
  {
    description: "only llm speaks to the model provider",
    from: /^(?!packages\/llm\/)/,
    // Tests use the official SDK as a client of the knowledge service.
    forbids: ({ from, specifier }) => !isTest(from) && /^(ai|openai|@ai-sdk\/.+)$/.test(npmPackage(specifier) ?? ""),
  },
  {
    description: "only kit's egress and safe-fetch, llm and the listing's upstream make HTTP requests",
    from: /^(packages|services)\/(?!kit\/(?:egress|safe-fetch)\/|llm\/|listing\/upstream\/|testing\/).*(?<!\.test)\.ts$/,
    forbids: ({ specifier }) => npmPackage(specifier) === "undici",
  },
  ...Object.entries(roomLevels).map(keepLevels),
  {
    description: "only the store knows LanceDB",
    from: /^services\/knowledge\/(?!store\/lance\/|tests\/store\/lance\/).*(?<!\.test)\.ts$/,
    forbids: ({ specifier }) => /^(@lancedb\/lancedb|apache-arrow)$/.test(npmPackage(specifier) ?? ""),
  },
  {
    description: "only the store in PostgreSQL knows its driver",
    from: /^services\/knowledge\/(?!store\/postgres\/|tests\/store\/postgres\/).*(?<!\.test)\.ts$/,
    forbids: ({ specifier }) => /^pg(-.*)?$/.test(npmPackage(specifier) ?? ""),
  },
];
