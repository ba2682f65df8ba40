import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IngestResponse } from "@agent-backends/contract";
import { startOfflineProvider } from "@agent-backends/llm/offline";
import { listFiles } from "../store/files.ts";
import { startKnowledge } from "./knowledge-process.ts";

/** Every so many documents one stays. */
const keptEvery = 10;
/** Old states are kept for a minute, for readers that still use them. */
const quietMs = 75_000;

/**
 * Brings small documents one by one and removes most of them at once, and shows what the store takes on disk meanwhile, at the
 * end, and after a quiet moment: `node services/knowledge/tests/disk-use.ts 2000`, after a build.
 */
const rounds = Number(process.argv[2] ?? 2_000);
const folder = await mkdtemp(join(tmpdir(), "knowledge-disk-"));
const provider = await startOfflineProvider();
const service = await startKnowledge({ LLM_BASE_URL: provider.baseUrl, KNOWLEDGE_STORE: folder });
const say = (line: string) => process.stdout.write(`${line}\n`);

async function show(what: string): Promise<void> {
  const paths = await listFiles(folder);
  // Tidying up may remove a file between listing and looking at it.
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0));
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
  say(`${what}: ${paths.length} files, ${megabytes.toFixed(1)} MB`);
}

try {
  const startedAt = performance.now();
  for (let round = 1; round <= rounds; round += 1) {
    const sources = [`Document ${round}. ${"Words that take some room. ".repeat(20)}`];
    const { body } = await service.ingest({ sources });
    const id = (body as IngestResponse).saved[0]?.document_id ?? "";
    if (round % keptEvery !== 0) {
      await fetch(`${service.baseUrl}/api/namespaces/default/documents/${id}`, { method: "DELETE" });
    }
    if (round % Math.ceil(rounds / 10) === 0) await show(`after ${round} of ${rounds}`);
  }
  say(
    `${((performance.now() - startedAt) / 1_000).toFixed(0)} s for ${rounds} ingests and ${rounds - Math.floor(rounds / keptEvery)} deletes`,
  );
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  await show("after a quiet moment");
} finally {
  await service.end("SIGTERM");
  await provider.close();
  await rm(folder, { recursive: true });
}
