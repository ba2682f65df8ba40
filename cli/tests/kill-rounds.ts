// npm run test:sync: kills `agents sync` at random points again and again while the folder changes. In the end the namespace has to hold
// exactly the folder's files and the documents of other writers, and an undisturbed run embeds nothing twice.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { runAgents } from "./run-in-process.ts";

const rounds = 40;
const filesPerRound = 6;
const maxKillDelayMs = 1_500;

const folder = await mkdtemp(join(tmpdir(), "sync-kill-"));
const docs = join(folder, "docs");
await mkdir(docs);
const provider = await startScriptedProvider();
const knowledge = await startService(resolve(serviceMains.knowledge), {
  LLM_BASE_URL: provider.baseUrl,
  KNOWLEDGE_STORE: join(folder, "store"),
});
const environment = {
  AGENTS_KNOWLEDGE_URL: knowledge.baseUrl,
  XDG_STATE_HOME: join(folder, "state"),
  PATH: process.env.PATH,
};
const agents = async (...args: string[]) => JSON.parse((await runAgents([...args, "--json"], environment)).output);
const random = (below: number) => Math.floor(Math.random() * below);

await writeFile(join(folder, "by-hand.md"), "Brought by hand.");
await agents("ingest", join(folder, "by-hand.md"), "-n", "killed");

let kills = 0;
for (let round = 0; round < rounds; round++) {
  for (let index = 0; index < filesPerRound; index++) {
    await writeFile(
      join(docs, `${round}-${index}.md`),
      `Round ${round}, file ${index}. ${"Words to embed. ".repeat(200)}`,
    );
  }
  const names = await readdir(docs);
  const pick = () => join(docs, names[random(names.length)] ?? "");
  await rm(pick(), { force: true });
  await writeFile(pick(), `Changed in round ${round}.`);
  await rename(pick(), join(docs, `renamed-${round}.md`)).catch(() => undefined);
  const args = [resolve("cli/dist/main.js"), "sync", docs, "-n", "killed"];
  const child = spawn(process.execPath, args, { env: environment, stdio: "ignore" });
  const exited = once(child, "exit");
  await Promise.race([exited, delay(random(maxKillDelayMs))]);
  if (child.exitCode === null) kills++;
  child.kill("SIGKILL");
  await exited;
}

const last = await agents("sync", docs, "-n", "killed");
const embeddedBefore = provider.embeddingRequests.length;
const again = await agents("sync", docs, "-n", "killed");
const files = (await readdir(docs)).map((name) => `file:docs/${name}`);
const stored = (await agents("documents", "-n", "killed")).documents.map(({ source }: { source: string }) => source);
await knowledge.end();
await provider.close();
await rm(folder, { recursive: true });

const expected = [...files, "file:by-hand.md"].sort().join("\n");
const isSame = expected === stored.sort().join("\n");
const isQuiet = provider.embeddingRequests.length === embeddedBefore && again.unchanged === files.length;
process.stdout.write(
  `${rounds} rounds, ${kills} killed, ${files.length} files; the namespace ${isSame ? "has exactly these" : "DIFFERS"}; `,
);
process.stdout.write(
  `the last run added ${last.added.length} and the one after it ${isQuiet ? "sent nothing" : "SENT SOMETHING"}\n`,
);
process.exitCode = isSame && isQuiet ? 0 : 1;
