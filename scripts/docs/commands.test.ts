import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { expect, onTestFinished, test } from "vitest";
import { parseCommandLine } from "../../cli/run.ts";
import { runAgents } from "../../cli/tests/run-in-process.ts";
import { pages, parseCommands } from "./pages.ts";

/** Pages whose commands other tests run against services. */
const runElsewhere = {
  "tests/start/npm-start.long.test.ts": [
    "README.md",
    "docs/tutorial.md",
    "docs/configuration.md",
    "docs/guides/chat-clients.md",
  ],
  "tests/start/examples.ts": ["examples/react/README.md", "examples/chat-platform/README.md"],
  "services/relay/conformance/examples.long.test.ts": ["examples/provider/README.md"],
  "tests/operations/operations.long.test.ts": [
    "docs/operations.md",
    "docs/guides/chat-platform.md",
    "docs/guides/keys-and-tenants.md",
  ],
};
/** Docker, Kubernetes and systemd are not where tests run. `npm run test:deploy` tries what these commands use. */
const deployment = "docs/guides/deploy.md";
const others = pages
  .filter((page) => !Object.values(runElsewhere).flat().includes(page))
  .filter((page) => page !== deployment)
  .flatMap((page) => parseCommands(page).map(({ command }) => ({ page, command })));

test.each(Object.entries(runElsewhere))("%s runs the commands of its pages", (file, named) => {
  for (const page of named)
    expect(readFileSync(file, "utf8")).toContain(page.replace(/^examples\/(.*)\/README.md$/, "examples/$1"));
});

test("the commands of the deployment guide name files that exist", () => {
  const files = parseCommands(deployment).flatMap(({ command }) => command.match(/\bdeploy\/\S+/g) ?? []);
  expect(files.length).toBeGreaterThan(4);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test("the key commands of docs/security.md work in the order of the page", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  for (const { command } of parseCommands("docs/security.md")) {
    const args = command.replace("npm run keys -- ", "keys ").replaceAll("'", "").split(" ");
    const environment = { AUTH_KEYS_FILE: join(folder, "keys.json") };
    expect(await runAgents(args, environment), command).toMatchObject({ exitCode: 0 });
  }
});

/** The arguments of `agents` in a command, with the shell's quotes resolved. */
function agentsArguments(command: string): string[] | undefined {
  const [, line] = /\bagents (.+?)\)?(?: \|.*)?$/.exec(command) ?? [];
  return line?.match(/(?:[^\s'"]|'[^']*'|"[^"]*")+/g)?.map((word) => word.replace(/^(['"])(.*)\1$/, "$2"));
}

test("commands of agents have commands and options that exist", () => {
  const lines = others.flatMap(({ command }) => agentsArguments(command) ?? []);
  expect(lines.length).toBeGreaterThan(20);
  for (const { command } of others) {
    const args = agentsArguments(command);
    if (args) expect(() => parseCommandLine(args), command).not.toThrow();
  }
});

/** Checks and services that the suite is made of, or that it starts with other variables. */
const checked = [
  "npm start",
  "npm test",
  "npm run build",
  "npx tsc -b",
  "npm run pack:relay",
  "LLM_API_KEY=your-key npx node examples/dist/nest/server.js",
  "npm run capacity -- --users 10000 --docs 100000",
  // A link to the command is what cli/tests run it through.
  'ln -s "$PWD/cli/bin/agents" ~/.local/bin/agents',
  "npx vitest run services/relay",
  "npx biome check --write .",
  "npx knip",
  "npx vitest run tests/imports scripts",
  "RUNS_URL=redis://127.0.0.1:6379 RUN_ORPHAN_MS=60000 npm run relay:express",
];

test("every other command is a check, or a benchmark with scripts and flags that exist", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: Record<string, string> };
  const isBenchmark = (command: string) => {
    const [, script, file, flags = ""] =
      /^(?:npm run (bench(?::\w+)?)|node (bench\/\S+\.ts))( .*)?$/.exec(command) ?? [];
    if (script !== undefined) return script in scripts && flags === "";
    if (file === undefined || !existsSync(file)) return false;
    const sources = globSync(`${dirname(file)}/*.ts`).map((source) => readFileSync(source, "utf8"));
    return [...flags.matchAll(/--([\w-]+)/g)].every(([, flag]) =>
      sources.some((source) => new RegExp(`^ +"?${flag}"?: \\{ type: `, "m").test(source)),
    );
  };
  const unknown = others.filter(
    ({ page, command }) =>
      page !== "docs/security.md" && !checked.includes(command) && !agentsArguments(command) && !isBenchmark(command),
  );
  expect(unknown).toEqual([]);
});
