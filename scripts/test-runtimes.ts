// npm run test:runtimes
// Packs the client, installs it with Deno and Bun in a temporary folder, and uses it against a real knowledge service from both and
// from Node.js. All three must print the same output.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { startTestedService } from "./documents/service.ts";

const run = promisify(execFile);
const quiet = ["--ignore-scripts", "--no-audit", "--no-fund"];
const runtimes = ["deno@2.9.6", "bun@1.4.5"];

/** Typical use of the client in an application: upload, follow, search, answer, export, import, errors. */
const application = `
import { KnowledgeClient, ProblemError } from "@agent-backends/client";
const [baseUrl, namespace] = process.argv.slice(2);
const client = new KnowledgeClient({ baseUrl });
const say = (...words) => console.log(JSON.stringify(words));
let progress;
const files = [{ name: "docs/pay.md", content: "# Pay\\n\\nSalaries are paid on the 25th." }];
const { job_id } = await client.startIngest({ namespace, sources: ["The office cat is called Minka."], files }, { onProgress: (now) => (progress = now) });
say(progress.sentBytes === progress.totalBytes);
for await (const event of client.followJob(job_id)) if (event.type === "job") say(event.status, event.saved);
for await (const { title, source } of client.documents(namespace, { limit: 1 })) say(title, source);
say((await client.search({ namespace, query: "salary" })).results[0].content);
let text = "";
const messages = [{ role: "user", content: "What is the office cat called?" }];
for await (const event of client.stream({ namespace, messages })) if (event.type === "text_delta") text += event.content;
say(text);
const file = await new Response(await client.exportNamespace(namespace)).blob();
say(await client.importNamespace(namespace, file).then(({ saved, skipped }) => [saved, skipped]));
say(await client.deleteNamespace(namespace), await client.deleteNamespace(namespace));
await client.search({ query: " " }).catch((error) => say(error instanceof ProblemError, error.code, error.errors));
await client.search({ query: "x" }, { signal: AbortSignal.abort(new Error("stopped")) }).catch((error) => say(error.message));
`;

const folder = await mkdtemp(join(tmpdir(), "client-runtimes-"));
const service = await startTestedService();
try {
  await writeFile(join(folder, "package.json"), '{ "private": true, "type": "module" }');
  await writeFile(join(folder, "application.js"), application);
  const packed = ["pack", "-w", "@agent-backends/client", "--json", "--pack-destination", folder];
  const [{ filename }] = JSON.parse((await run("npm", [...packed, ...quiet])).stdout);
  await run("npm", ["install", join(folder, filename), ...runtimes, ...quiet], { cwd: folder });
  // Without its install script, the package has no binary. Some npm versions don't run scripts automatically.
  await run(process.execPath, ["install.js"], { cwd: join(folder, "node_modules/bun") });
  const use = async (command: string, ...args: string[]) => {
    const { stdout } = await run(command, [...args, "application.js", service.baseUrl, `used by ${command}`], {
      cwd: folder,
    });
    return stdout;
  };
  const expected = await use(process.execPath);
  console.log(expected);
  for (const [name, ...args] of [
    ["deno", "run", "--allow-all"],
    ["bun", "run"],
  ] as const) {
    const said = await use(join(folder, "node_modules/.bin", name), ...args);
    console.log(`${name}: ${said === expected ? "the same" : `differs:\n${said}`}`);
    if (said !== expected) process.exitCode = 1;
  }
} finally {
  await service.end();
  await rm(folder, { recursive: true, force: true });
}
