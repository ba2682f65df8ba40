import { existsSync, globSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { runKeys } from "../keys/run.ts";
import { commandsOf, pages } from "./pages.ts";

/** Pages whose commands other tests run against services. */
const runElsewhere = {
  "tests/start/npm-start.test.ts": [
    "README.md",
    "docs/tutorial.md",
    "docs/configuration.md",
    "docs/guides/chat-clients.md",
  ],
  "tests/operations/operations.test.ts": [
    "docs/operations.md",
    "docs/guides/chat-platform.md",
    "docs/guides/keys-and-tenants.md",
  ],
};
const others = pages
  .filter((page) => !Object.values(runElsewhere).flat().includes(page))
  .flatMap((page) => commandsOf(page).map(({ command }) => ({ page, command })));

test.each(Object.entries(runElsewhere))("%s runs the commands of its pages", (file, named) => {
  for (const page of named) expect(readFileSync(file, "utf8")).toContain(page);
});

test("the key commands of docs/security.md work in the order of the page", async () => {
  const folder = await mkdtemp(join(tmpdir(), "docs-keys-"));
  try {
    for (const { command } of commandsOf("docs/security.md")) {
      const args = command.replace("npm run keys -- ", "").replaceAll("'", "").split(" ");
      expect(await runKeys(args, join(folder, "keys.json")), command).toMatchObject({ exitCode: 0 });
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

/** Checks and services that the suite is made of, or that it starts with other variables. */
const checked = [
  "npm test",
  "npm run build",
  "npx vitest run services/relay",
  "npx biome check --write .",
  "RUNS_URL=redis://127.0.0.1:6379 RUN_ORPHAN_MS=60000 npm run relay:express",
];

test("every other command is a check, or a benchmark with scripts and flags that exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const isBenchmark = (command: string) => {
    const [, script, file, flags = ""] = /^(?:npm run (bench:\w+)|node (bench\/\S+\.ts))( .*)?$/.exec(command) ?? [];
    if (script !== undefined) return script in scripts && flags === "";
    if (file === undefined || !existsSync(file)) return false;
    const sources = globSync(`${dirname(file)}/*.ts`).map((source) => readFileSync(source, "utf8"));
    return [...flags.matchAll(/--([\w-]+)/g)].every(([, flag]) =>
      sources.some((source) => new RegExp(`^ +"?${flag}"?: \\{ type: `, "m").test(source)),
    );
  };
  const unknown = others.filter(
    ({ page, command }) => page !== "docs/security.md" && !checked.includes(command) && !isBenchmark(command),
  );
  expect(unknown).toEqual([]);
});
