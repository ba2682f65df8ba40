import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandProcess, freePorts, startScriptedProvider } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, expect, test } from "vitest";
import { codeBlocks, run } from "../../scripts/docs/pages.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const folder = await createTemporaryFolder();

const provider = await startScriptedProvider();
const [service = 0, metrics = 0] = await freePorts(2);
const ports = { service: String(service), metrics: String(metrics) };
const environment: Record<string, string> = {
  PORT: ports.service,
  LLM_API_KEY: "sk-test",
  LLM_BASE_URL: provider.baseUrl,
  AUTH_KEYS_FILE: join(folder, "keys.json"),
  KNOWLEDGE_STORE: join(folder, "store"),
  LOG: join(folder, "knowledge.log"),
  BACKUP: join(folder, "backup.tar.gz"),
  RESTORED: join(folder, "restored"),
};
afterAll(() => provider.close());

/** Runs a block of a page as one script that stops at its first failure, with the test's ports. */
const runBlock = (script: string): Promise<string> =>
  run(script.replaceAll(":8001/", `:${ports.service}/`).replaceAll("9464", ports.metrics), environment);

const listBlocks = (page: string) => codeBlocks(page, "sh").map(({ text }) => text.trimEnd());
test("every command of docs/operations.md and of the guides to keys does what its page says", async () => {
  const [makeKey = "", ...useKey] = listBlocks("docs/guides/keys-and-tenants.md");
  const removeKey = useKey.pop() ?? "";
  // Before the service starts, so that it need not wait until the file of keys is read again.
  environment.KEY = await runBlock(`${makeKey}\necho "$KEY"`);
  const outputs = new Map<string, string>();
  let service: CommandProcess | undefined;
  for (const script of listBlocks("docs/operations.md")) {
    if (script.endsWith("npm run knowledge")) {
      service = new CommandProcess("npm", ["run", "knowledge"], {
        cwd: root,
        environment: { ...environment, METRICS_PORT: ports.metrics },
      });
      await service.printed(/knowledge listens on/);
    } else if (script.includes('kill -TERM "$PID"')) {
      for (const block of [...useKey, ...listBlocks("docs/guides/chat-platform.md"), removeKey])
        outputs.set(block, await runBlock(block));
      environment.PID = String(service?.pid);
      await runBlock(script);
      expect(await service?.exited).toBe(0);
    } else {
      await writeFile(environment.LOG ?? "", service?.output ?? "");
      outputs.set(script, await runBlock(script));
    }
  }
  const printed = (part: string) => [...outputs].find(([script]) => script.includes(part))?.[1] ?? "";
  expect(printed("--name chat-platform")).toMatch(/\S{30,}/);
  expect(printed("/ready")).toMatch(/"status":"ok".*"status":"ready"/s);
  expect(printed("smoke-test")).toMatch(/"saved":\[\{.*"type":"done"/s);
  expect(printed("/metrics")).toMatch(/^agent_http_requests_total\{.*route="\/stream".*\} 1$/m);
  expect(Number(printed("grep -c").split("\n").at(-1))).toBeGreaterThan(4);
  expect(printed("sha256sum")).toMatch(/^[0-9a-f]{16}$/);
  expect(printed('"namespace":"customer-7","sources"')).toMatch(/"saved":\[\{.*"type":"done"/s);
  expect(printed("accounting")).toContain("isn't allowed to use the namespace");
  expect(printed("tool_params")).toMatch(/"type":"text_delta".*"type":"done"/s);
  const stored = (await readdir(environment.KNOWLEDGE_STORE ?? "")).sort();
  expect((await readdir(environment.RESTORED ?? "")).sort()).toEqual(stored);
}, 300_000);
