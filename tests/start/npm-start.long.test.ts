import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { CommandProcess, freePorts } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { startBrowser } from "../../console/tests/browser.ts";
import { arriveAsNewcomer } from "../../console/tests/newcomer.ts";
import { parseCommands, run, withoutIds } from "../../scripts/docs/pages.ts";
import { askReact, openExamples, sendAsPlatform } from "./examples.ts";
import { NpmProcess, processBelow, root } from "./npm-process.ts";

const documented = ["README.md", "docs/tutorial.md", "docs/guides/chat-clients.md"].flatMap(parseCommands);
const store = await createTemporaryFolder();
type PortVariable = "RELAY_PORT" | "RELAY_NEST_PORT" | "KNOWLEDGE_PORT" | "LISTING_PORT" | "CONSOLE_PORT";
let ports: Record<PortVariable, string>;
let started: NpmProcess;
let statusBefore: string;
let examplesPort: number;
let browser: Awaited<ReturnType<typeof startBrowser>>;

/** Replaces the documented ports by the test's. */
const moved = (command: string) =>
  command
    .replaceAll(":8000/", `:${ports.RELAY_PORT}/`)
    .replaceAll(":8001/", `:${ports.KNOWLEDGE_PORT}/`)
    .replaceAll(":8002/", `:${ports.LISTING_PORT}/`);

/** Joins the words of a stream. */
const toVisibleText = (output: string) =>
  [...output.matchAll(/"(?:delta|content)":("(?:[^"\\]|\\.)*")/g)].map(([, text = '""']) => JSON.parse(text)).join("");

beforeAll(async () => {
  statusBefore = await run("git status --porcelain");
  const [relay, nest, knowledge, listing, console, examples] = (await freePorts(6)).map(String) as [
    string,
    string,
    string,
    string,
    string,
    string,
  ];
  ports = {
    RELAY_PORT: relay,
    RELAY_NEST_PORT: nest,
    KNOWLEDGE_PORT: knowledge,
    LISTING_PORT: listing,
    CONSOLE_PORT: console,
  };
  examplesPort = Number(examples);
  // The console is used below. Limits for other pages must not shut out the page that npm start serves.
  started = new NpmProcess(["start"], {
    ...ports,
    KNOWLEDGE_STORE: store,
    CORS_ORIGINS: `https://chat.example.com,http://127.0.0.1:${examples}`,
  });
  [browser] = await Promise.all([startBrowser(), started.printed(/Ctrl-C stops everything/)]);
}, 120_000);

afterAll(async () => {
  await browser.close();
  await started.stop("SIGTERM");
});

describe("npm start, without a key", { shuffle: false }, () => {
  test("says where each service is, and that the offline provider answers", () => {
    for (const port of Object.values(ports)) expect(started.output).toContain(`http://127.0.0.1:${port}`);
    expect(started.output).toContain("No LLM_API_KEY was given: the offline provider answers.");
    expect(started.output).toContain("The launches are sample data.");
    expect(started.output).toContain(`/stream   AG-UI: http://127.0.0.1:${ports.KNOWLEDGE_PORT}/agui`);
  });

  test("leads, without anything to read, to an answer that cites a document dropped into the page", async () => {
    const url = /Open (\S+) in a browser/.exec(started.output)?.[1] ?? "";
    await arriveAsNewcomer(browser, url);
    const namespace = `http://127.0.0.1:${ports.KNOWLEDGE_PORT}/api/namespaces/default`;
    expect((await fetch(namespace, { method: "DELETE" })).status).toBe(204);
  });

  test("prints lines to paste, and each works", async () => {
    const lines = started.output.match(/^ +curl .*$/gm) ?? [];
    expect(lines).toHaveLength(4);
    const outputs = [];
    for (const line of lines) outputs.push(await run(line));
    const [talk = "", add = "", answer = "", launches = ""] = outputs;
    const [, , ask = ""] = lines;
    expect(talk).toMatch(/"type":"RUN_STARTED".*"type":"RUN_FINISHED"/s);
    expect(toVisibleText(talk)).toContain("offline provider");
    expect(add).toMatch(/"saved":\[\{"title":"Returns"/);
    expect(answer).toMatch(/"type":"text_start".*"type":"done"/s);
    expect(toVisibleText(answer)).toContain("Refunds are paid within 5 working days. [1]");
    // The question that the console suggests for a stored document.
    const proposed = await run(ask.replace("How long do refunds take?", "What does “Returns” say?"));
    expect(toVisibleText(proposed)).toMatch(/^Goods can be sent back within 30 days\. \[1\]/);
    expect(launches).toMatch(/"tool_call_result".*data: \[DONE\]$/s);
    expect(toVisibleText(launches)).toMatch(/^\| # \|.*sample data/s);
  });

  test.each(documented.filter(({ shown }) => shown !== undefined))(
    "the documentation shows what $command prints",
    async ({ command, shown }) => {
      expect(withoutIds(await run(moved(command)))).toBe(withoutIds(shown ?? ""));
    },
  );

  test("the README's lines of the command line lead from a folder to a cited answer", async () => {
    const lines = parseCommands("README.md").flatMap(({ command }) => (command.includes(" agents ") ? [command] : []));
    const outputs: string[] = [];
    for (const line of lines) outputs.push(await run(line, { ...ports, XDG_STATE_HOME: store, NO_COLOR: "1" }));
    expect(outputs).toEqual([
      expect.stringMatching(/\d+ added, 0 replaced, 0 renamed, 0 deleted, 0 unchanged, 0 failed in guides/),
      expect.stringMatching(/Ollama.*\[1\].*file:guides\/providers\.md.*^\[1\] “/ms),
    ]);
  });

  test.each(documented.filter(({ command, shown }) => command.startsWith("curl") && shown === undefined))(
    "the documented $command works",
    async ({ command }) => {
      expect(JSON.parse(await run(`${moved(command)} --fail-with-body`))).toBeTypeOf("object");
    },
  );

  test("examples/react and examples/chat-platform talk to all three agents", async () => {
    const { page, open, close } = await openExamples(browser, examplesPort, moved);
    try {
      await open("react");
      const quote = /^\[1\] .*“Refunds are paid within 5 working days\.”/;
      await askReact(page, "Knowledge", "When are refunds paid?", quote);
      await askReact(page, "Listing", "What are the top launches?", /^Product$/);
      await askReact(page, "Listing", "We did it! Fire the confetti", /^Confetti/);
      await page.locator("canvas").first().waitFor({ state: "attached" });
      await askReact(page, "Relay", "Hello!", /offline provider/);
      await open("chat-platform");
      await sendAsPlatform(page, "knowledge", /Refunds are paid within 5 working days\. \[1\]/);
      await sendAsPlatform(page, "listing", /\| # \|/);
      await sendAsPlatform(page, "relay", /offline provider/);
    } finally {
      await close();
    }
  });

  test("leaves the working tree unchanged", async () => {
    expect(await run("git status --porcelain")).toBe(statusBefore);
  });

  test("a service that dies is named and started again, while the others go on", async () => {
    const relay = processBelow(started.pid, "relay/dist/express/main.js");
    process.kill(processBelow(started.pid, "listing/dist/main.js"), "SIGKILL");
    await started.printed(/The listing service ended by itself \(SIGKILL\); it is started again/);
    const url = `http://127.0.0.1:${ports.LISTING_PORT}/health`;
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), { timeout: 60_000, interval: 100 });
    expect(processBelow(started.pid, "relay/dist/express/main.js")).toBe(relay);
  });

  test("a port that is taken is named, with how to choose another", async () => {
    const second = new NpmProcess(["start"], ports);
    expect(await second.exited).toBe(1);
    expect(second.output).toContain(`Port ${ports.KNOWLEDGE_PORT} for knowledge is taken.`);
    expect(second.output).toContain("KNOWLEDGE_PORT=");
  });

  test("two services on one port are named, and nothing starts", async () => {
    const [port = 0] = await freePorts(1);
    const same = { RELAY_PORT: String(port), KNOWLEDGE_PORT: String(port), START_SERVICES: "relay,knowledge" };
    const second = new CommandProcess(process.execPath, ["scripts/start/check-ports.ts"], {
      cwd: root,
      environment: { ...ports, ...same },
    });
    expect(await second.exited).toBe(1);
    expect(second.output).toContain(`RELAY_PORT and KNOWLEDGE_PORT are both ${port}`);
  });
});

test("Ctrl-C stops every process of npm start", async () => {
  await started.stop("SIGINT");
  for (const port of Object.values(ports)) {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(Number(port), "127.0.0.1", resolve);
    });
    await new Promise((resolve) => server.close(resolve));
  }
});

describe("each service on its own", () => {
  const scripts = parseCommands("docs/configuration.md").map(({ command }) => command);
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

  test.each(scripts)("%s listens, and ends with 0 on SIGTERM", async (command) => {
    const [port] = await freePorts(1);
    const environment = {
      PORT: String(port),
      LLM_API_KEY: "key",
      LLM_BASE_URL: "http://127.0.0.1:9/v1",
      KNOWLEDGE_STORE: store,
    };
    // All begin with the same commands, so npm runs only the first one.
    const [, , script = ""] = command.split(" ");
    const service =
      command === scripts[0]
        ? new NpmProcess(["run", script], environment)
        : new CommandProcess("sh", ["-c", manifest.scripts[script].split(" && ").at(-1)], { cwd: root, environment });
    await service.printed(/listens on http/);
    expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    expect(await service.stop("SIGTERM")).toBe(0);
  });
});

test("every other command of these pages starts or tests everything", () => {
  const isRun = (command: string) => command.startsWith("curl") || command.includes(" agents ");
  const others = documented.map(({ command }) => command).filter((command) => !isRun(command));
  expect([...new Set(others)].sort()).toEqual(["npm start", "npm test"]);
});
