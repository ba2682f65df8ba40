import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { IngestResponse } from "@agent-backends/contract";
import { startOfflineProvider } from "@agent-backends/llm/offline";
import { listFiles } from "../store/files.ts";
import { startKnowledge } from "./knowledge-process.ts";

/** One document in this many stays. */
const keptEvery = 10;
/** Wait longer than a minute, which is the time that old states are kept for readers. */
const quietMs = 75_000;

/**
 * Stores small documents one by one and removes most of them immediately. Prints the disk usage during this, at the end, and after an
 * idle time: `node services/knowledge/tests/disk-use.ts 2000`, after a build.
 */
const rounds = Number(process.argv[2] ?? 2_000);
const folder = await mkdtemp(join(tmpdir(), "knowledge-disk-"));
const provider = await startOfflineProvider();
const service = await startKnowledge({ LLM_BASE_URL: provider.baseUrl, KNOWLEDGE_STORE: folder });
const printLine = (line: string) => process.stdout.write(`${line}\n`);

async function show(what: string): Promise<void> {
  const paths = await listFiles(folder);
  // Compaction may remove a file between listing and examining it.
  const sizes = await Promise.all(paths.map(async (path) => (await stat(path).catch(() => undefined))?.size ?? 0));
  const megabytes = sizes.reduce((sum, size) => sum + size, 0) / 1024 / 1024;
  printLine(`${what}: ${paths.length} files, ${megabytes.toFixed(1)} MB`);
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
  printLine(
    `${((performance.now() - startedAt) / 1_000).toFixed(0)} s for ${rounds} ingests and ${rounds - Math.floor(rounds / keptEvery)} deletes`,
  );
  await new Promise((resolve) => setTimeout(resolve, quietMs));
  await show("after a quiet moment");
} finally {
  await service.end("SIGTERM");
  await provider.close();
  await rm(folder, { recursive: true });
}
