import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import type { Import } from "./import-graph.ts";
import { findCycles, listImports } from "./import-graph.ts";
import { getRoom, roomLevels, rules } from "./import-rules.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const imports = listImports(root, [
  "packages/**/*.ts",
  "services/**/*.ts",
  "scripts/**/*.ts",
  "console/**/*.{ts,tsx}",
  "cli/**/*.ts",
]);

test("the graph is read: every package and service has imports", () => {
  const folders = new Set(imports.map(({ from }) => from.split("/").slice(0, 2).join("/")));
  expect([...folders]).toEqual(
    expect.arrayContaining([
      ...["contract", "kit", "language", "llm", "testing"].map((name) => `packages/${name}`),
      ...["knowledge", "listing", "relay"].map((name) => `services/${name}`),
    ]),
  );
});

test.each(rules)("$description", ({ from, forbids }) => {
  const broken = imports.filter((imported) => from.test(imported.from) && forbids(imported));
  expect(broken.map((imported) => `${imported.from} imports ${imported.specifier}`)).toEqual([]);
});

test.each(Object.entries(roomLevels))("docs/architecture.md gives each room of %s its level", (folder, levels) => {
  const rooms = new Set(imports.flatMap(({ from }) => getRoom(folder, from) ?? []));
  expect([...rooms].sort()).toEqual(levels.flat().sort());
});

test("no files import each other in a cycle, types included", () => {
  const all = [...imports, ...listImports(root, ["tests/**/*.ts", "bench/**/*.ts"])];
  expect(findCycles(all)).toEqual([]);
  const edge = (from: string, to: string) => ({ from, specifier: to, to });
  expect(findCycles([edge("a", "b"), edge("b", "c"), edge("c", "b")])).toEqual([["b", "c"]]);
});

// Each rule is shown to bite: an import that it must refuse.
test.each<[string, Omit<Import, "to"> & { to?: string }]>([
  ["contract imports zod and nothing else", { from: "packages/contract/a.ts", specifier: "node:fs" }],
  [
    "kit imports contract; llm imports contract, language, kit's egress, timeouts and turns; language imports no other package",
    { from: "packages/kit/a.ts", specifier: "@agent-backends/llm" },
  ],
  [
    "kit imports contract; llm imports contract, language, kit's egress, timeouts and turns; language imports no other package",
    { from: "packages/llm/a.ts", specifier: "@agent-backends/kit" },
  ],
  [
    "kit imports contract; llm imports contract, language, kit's egress, timeouts and turns; language imports no other package",
    { from: "packages/language/a.ts", specifier: "@agent-backends/contract" },
  ],
  [
    "services import packages, never each other",
    { from: "services/relay/core/a.ts", specifier: "@agent-backends/listing" },
  ],
  [
    "cli imports client, contract's manifest of services and kit's auth, .env files and edit distance; only its doctor imports llm",
    { from: "cli/commands/a.ts", specifier: "@agent-backends/kit" },
  ],
  ["testing never reaches production code", { from: "services/relay/core/a.ts", specifier: "@agent-backends/testing" }],
  [
    "nothing imports a main module, the console or a benchmark",
    { from: "services/listing/http/a.ts", specifier: "../main.ts", to: "services/listing/main.ts" },
  ],
  [
    "a relative import stays in its own package",
    { from: "services/listing/http/a.ts", specifier: "../../relay/core/run.ts", to: "services/relay/core/run.ts" },
  ],
  ["a service's logic knows no HTTP framework", { from: "services/relay/core/run.ts", specifier: "express" }],
  [
    "a service's logic does not know its adapters",
    { from: "services/relay/core/run.ts", specifier: "../express/app.ts", to: "services/relay/express/app.ts" },
  ],
  ["each relay needs only its own framework", { from: "services/relay/http/a.ts", specifier: "express" }],
  ["each relay needs only its own framework", { from: "services/relay/express/a.ts", specifier: "@nestjs/common" }],
  ["only llm speaks to the model provider", { from: "services/listing/answer/a.ts", specifier: "ai" }],
  [
    "only kit's egress and safe-fetch, llm and the listing's upstream make HTTP requests",
    { from: "services/knowledge/ingest/a.ts", specifier: "undici" },
  ],
  [
    "a room of console imports only rooms below it",
    { from: "console/agents/a.ts", specifier: "../library/a.ts", to: "console/library/a.ts" },
  ],
  [
    "a room of packages/kit imports only rooms below it",
    { from: "packages/kit/limits/tokens/a.ts", specifier: "../../auth/a.ts", to: "packages/kit/auth/a.ts" },
  ],
  [
    "a room of services/knowledge imports only rooms below it",
    { from: "services/knowledge/store/a.ts", specifier: "../ingest/a.ts", to: "services/knowledge/ingest/a.ts" },
  ],
  ["only the store knows LanceDB", { from: "services/knowledge/search/a.ts", specifier: "@lancedb/lancedb" }],
  ["only the store in PostgreSQL knows its driver", { from: "services/knowledge/search/a.ts", specifier: "pg" }],
])("the rule that %s refuses an import that breaks it", (says, { to, ...imported }) => {
  const rule = rules.find((candidate) => candidate.description === says);
  expect(rule?.from.test(imported.from) && rule.forbids({ ...imported, to })).toBe(true);
});
