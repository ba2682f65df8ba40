import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KnowledgeClient } from "@agent-backends/client";
import { startOfflineProvider } from "@agent-backends/llm";
import type { KnowledgeProcess } from "./knowledge-process.ts";
import { startKnowledge } from "./knowledge-process.ts";

const writers = 4;
const chunksOfLongest = 40;

interface Acknowledged {
  text: string;
  chunks: number;
}

/** What rounds of killing the service in the middle of ingests left. */
export interface KillReport {
  rounds: number;
  acknowledged: number;
  /** Stored without their client having been told: it was killed before it could. */
  unacknowledged: number;
  /** What is wrong, in sentences; empty when nothing is. */
  faults: string[];
}

/** What is killed, and the store that has to survive it. */
export interface KillTarget {
  location: string;
  /** Kills it in the middle of writes. @returns the service, which runs again */
  kill(service: KnowledgeProcess, start: () => Promise<KnowledgeProcess>, round: number): Promise<KnowledgeProcess>;
}

/**
 * Kills the service, or another target, with SIGKILL in the middle of ingests, round after round on one store, and looks after each at
 * what is there: every acknowledged document whole, every other one whole or not at all.
 */
export async function killRounds(
  rounds: number,
  tell: (line: string) => void = () => undefined,
  target?: KillTarget,
): Promise<KillReport> {
  const folder = await mkdtemp(join(tmpdir(), "knowledge-kill-"));
  const provider = await startOfflineProvider();
  const { location, kill } = target ?? {
    location: join(folder, "store"),
    async kill(service: KnowledgeProcess, start: () => Promise<KnowledgeProcess>) {
      await service.end("SIGKILL");
      return start();
    },
  };
  const start = () => startKnowledge({ LLM_BASE_URL: provider.baseUrl, KNOWLEDGE_STORE: location });
  const acknowledged = new Map<string, Acknowledged>();
  const faults: string[] = [];
  let stored = 0;
  try {
    let service = await start();
    for (let round = 1; round <= rounds; round += 1) {
      const current = service;
      service = await killAmidst(service, round, acknowledged, () => kill(current, start, round));
      const found = await inspect(service, acknowledged);
      stored = found.documents;
      faults.push(...found.faults.map((fault) => `Round ${round}: ${fault}`));
      tell(`round ${round}: ${acknowledged.size} acknowledged, ${stored} stored, ${found.faults.length} faults`);
    }
    await service.end("SIGTERM");
  } finally {
    await provider.close();
    await rm(folder, { recursive: true });
  }
  return { rounds, acknowledged: acknowledged.size, unacknowledged: stored - acknowledged.size, faults };
}

/** Brings documents from several clients at once and kills the target while they are being stored. */
async function killAmidst(
  service: KnowledgeProcess,
  round: number,
  acknowledged: Map<string, Acknowledged>,
  kill: () => Promise<KnowledgeProcess>,
): Promise<KnowledgeProcess> {
  let next = 0;
  let isOver = false;
  const before = acknowledged.size;
  const client = new KnowledgeClient(service);
  const enough = Promise.withResolvers<void>();
  const bring = async (writer: number) => {
    while (!isOver) {
      const number = next++;
      const words = `Words of document ${number} that fill some chunks. `.repeat(
        1 + ((number * 31) % chunksOfLongest) * 20,
      );
      const text = `Round ${round}, writer ${writer}, document ${number}. ${words}`.trim();
      const { saved } = await client.ingest({ sources: [text] });
      for (const { document_id, chunks } of saved) acknowledged.set(document_id, { text, chunks });
      // A different moment each round: sooner or later after an answer.
      if (acknowledged.size >= before + 6 + (round % 5)) setTimeout(enough.resolve, (round * 37) % 90);
    }
  };
  const clients = Promise.allSettled(Array.from({ length: writers }, (_, writer) => bring(writer)));
  await Promise.race([enough.promise, clients]);
  const running = await kill();
  isOver = true;
  await clients;
  return running;
}

async function inspect(service: KnowledgeProcess, acknowledged: Map<string, Acknowledged>) {
  const faults: string[] = [];
  const documents = new Map<string, number>();
  const client = new KnowledgeClient(service);
  for await (const { document_id, chunks } of client.documents("default", { limit: 100 })) {
    if (documents.has(document_id)) faults.push(`${document_id} is there twice.`);
    documents.set(document_id, chunks);
  }
  for (const [id, { chunks }] of acknowledged) {
    if (documents.get(id) !== chunks)
      faults.push(`${id} was acknowledged with ${chunks} chunks and has ${documents.get(id) ?? "none"}.`);
  }
  const [id, { text }] = [...acknowledged].at(-1) ?? ["", { text: "" }];
  if ((await client.getDocument("default", id)).text !== text)
    faults.push(`${id} has another text than was acknowledged.`);
  // Half a document would be chunks beside those of the listed ones.
  const { namespaces } = await client.namespacesPage();
  const total = [...documents.values()].reduce((sum, chunks) => sum + chunks, 0);
  const counted = namespaces
    .map((namespace) => `${namespace.documents} documents, ${namespace.chunks} chunks`)
    .join("; ");
  const expected = `${documents.size} documents, ${total} chunks`;
  if (counted !== expected) faults.push(`The documents make ${expected}; the store counts ${counted}.`);
  const again = await client.ingest({ sources: [text] });
  if (again.skipped.length !== 1) faults.push(`${id} is not known again: ${JSON.stringify(again)}.`);
  return { documents: documents.size, faults };
}

// `node services/knowledge/tests/kill-rounds.ts 20`, after a build.
if (import.meta.main) {
  const report = await killRounds(Number(process.argv[2] ?? 20), (line) => process.stdout.write(`${line}\n`));
  process.stdout.write(`${JSON.stringify(report, undefined, 2)}\n`);
  process.exitCode = report.faults.length === 0 ? 0 : 1;
}
