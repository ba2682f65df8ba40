import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { KnowledgeClient } from "@agent-backends/client";
import type { Job } from "@agent-backends/contract";
import { startOfflineProvider } from "@agent-backends/llm/offline";
import type { KnowledgeProcess } from "./knowledge-process.ts";
import { startKnowledge } from "./knowledge-process.ts";

const writers = 4;
const chunksOfLongest = 40;
/** Number of clients that send one job after the other, and of their jobs per round. */
const jobSenders = 2;
const jobsPerSender = 4;
/** Jobs of a killed process are taken over some seconds later. */
const maxJobMs = 60_000;
const jobPollMs = 50;

interface Acknowledged {
  text: string;
  /** Undefined for a document that a job stored without being able to record it. */
  chunks?: number | undefined;
}

/** Number of hexadecimal digits of a document's id, which is the beginning of its hash. */
const idDigits = 32;

/** Result of rounds that kill the service in the middle of ingests. */
export interface KillReport {
  rounds: number;
  acknowledged: number;
  /** Number of documents that were stored without an acknowledgement, because the service was killed before. */
  unacknowledged: number;
  /** Number of jobs answered with 202. */
  jobs: number;
  /** Number of these jobs that had not ended when the target was running again. */
  interruptedJobs: number;
  /** Descriptions of all faults. Empty if there are none. */
  faults: string[];
}

/** The killed process, and the store that has to survive it. */
export interface KillTarget {
  location: string;
  /** Kills the target in the middle of writes. @returns the service, which is running again */
  kill(service: KnowledgeProcess, start: () => Promise<KnowledgeProcess>, round: number): Promise<KnowledgeProcess>;
}

/** Everything that was acknowledged to clients, in all rounds. */
interface AcknowledgedWork {
  documents: Map<string, Acknowledged>;
  /** The accepted jobs by id, with the texts of their items and their final state. */
  jobs: Map<string, { texts: string[]; ended?: Job }>;
}

/**
 * Kills the service, or another target, with SIGKILL in the middle of ingests, in several rounds on one store. After each round, checks
 * that every acknowledged document is complete, every other one complete or absent, and every accepted job done once.
 */
export async function killRounds(
  rounds: number,
  onProgress: (line: string) => void = () => undefined,
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
  const told: AcknowledgedWork = { documents: new Map(), jobs: new Map() };
  const faults: string[] = [];
  let stored = 0;
  let interruptedJobs = 0;
  try {
    let service = await start();
    for (let round = 1; round <= rounds; round += 1) {
      const current = service;
      service = await killDuringWrites(service, round, told, () => kill(current, start, round));
      const ended = await awaitJobs(service, told, service === current);
      const found = await inspect(service, told);
      stored = found.documents;
      interruptedJobs += ended.interrupted;
      const inRound = [...ended.faults, ...found.faults];
      faults.push(...inRound.map((fault) => `Round ${round}: ${fault}`));
      const counts = [
        `${told.documents.size} acknowledged`,
        `${stored} stored`,
        `${ended.interrupted} jobs interrupted`,
      ];
      onProgress(`round ${round}: ${counts.join(", ")}, ${inRound.length} faults`);
    }
    await service.end("SIGTERM");
  } finally {
    await provider.close();
    await rm(folder, { recursive: true });
  }
  const acknowledged = told.documents.size;
  return { rounds, acknowledged, unacknowledged: stored - acknowledged, jobs: told.jobs.size, interruptedJobs, faults };
}

/** Stores documents from several clients at once, and kills the target in the meantime. */
async function killDuringWrites(
  service: KnowledgeProcess,
  round: number,
  { documents: acknowledged, jobs }: AcknowledgedWork,
  kill: () => Promise<KnowledgeProcess>,
): Promise<KnowledgeProcess> {
  let next = 0;
  let isOver = false;
  const before = acknowledged.size;
  const client = new KnowledgeClient(service);
  const enough = Promise.withResolvers<void>();
  const bring = async (writer: number) => {
    while (!isOver) {
      const text = toText(`Round ${round}, writer ${writer}`, next++);
      const { saved } = await client.ingest({ sources: [text] });
      for (const { document_id, chunks } of saved) acknowledged.set(document_id, { text, chunks });
      // Kill at a different moment in each round, some time after a response.
      if (acknowledged.size >= before + 6 + (round % 5)) setTimeout(enough.resolve, (round * 37) % 90);
    }
  };
  const sendJobs = async (sender: number) => {
    for (let number = 0; number < jobsPerSender && !isOver; number += 1) {
      const texts = [0, 1, 2].map((item) => toText(`Round ${round}, sender ${sender}`, number * 3 + item));
      const [first = "", second = "", third = ""] = texts;
      const { job_id } = await client.startIngest({
        sources: [first, second],
        files: [{ name: `${round}-${sender}-${number}.txt`, content: third }],
      });
      jobs.set(job_id, { texts });
    }
  };
  const clients = Promise.allSettled([
    ...Array.from({ length: jobSenders }, (_, sender) => sendJobs(sender)),
    ...Array.from({ length: writers }, (_, writer) => bring(writer)),
  ]);
  await Promise.race([enough.promise, clients]);
  const running = await kill();
  isOver = true;
  await clients;
  return running;
}

function toText(name: string, number: number): string {
  const words = `Words of document ${number} that fill some chunks. `;
  return `${name}, document ${number}. ${words.repeat(1 + ((number * 31) % chunksOfLongest) * 20)}`.trim();
}

/**
 * Waits for the end of the accepted jobs. The documents they have stored then count as acknowledged.
 *
 * @param hasRunOn whether the service itself was not killed, so that it knows for each item whether it has stored it
 */
async function awaitJobs(service: KnowledgeProcess, { documents, jobs }: AcknowledgedWork, hasRunOn: boolean) {
  const faults: string[] = [];
  const client = new KnowledgeClient(service);
  const running: string[] = [];
  for (const [id, { ended }] of jobs) {
    const job = await client.getJob(id);
    if (ended && !isDeepStrictEqual(job, ended)) faults.push(`Job ${id} has changed after its end.`);
    if (job.finished_at === undefined) running.push(id);
  }
  const deadline = performance.now() + maxJobMs;
  for (const [id, told] of jobs) {
    if (told.ended) continue;
    let job = await client.getJob(id);
    for (; job.finished_at === undefined && performance.now() < deadline; job = await client.getJob(id))
      await delay(jobPollMs);
    told.ended = job;
    const counts = `${job.status} with ${job.saved} saved, ${job.skipped} skipped, ${job.errors} errors`;
    const isDone = job.status === "done" && job.saved + job.skipped === told.texts.length;
    if (!isDone || (hasRunOn && job.skipped > 0)) faults.push(`Job ${id} is ${counts}: ${JSON.stringify(job.items)}.`);
    for (const [position, item] of job.items.entries()) {
      if (item.stage !== "saved" && item.stage !== "skipped") continue;
      const chunks = item.stage === "saved" ? item.chunks : undefined;
      documents.set(item.hash.slice(0, idDigits), { text: told.texts[position] ?? "", chunks });
    }
  }
  return { interrupted: running.length, faults };
}

async function inspect(service: KnowledgeProcess, { documents: acknowledged }: AcknowledgedWork) {
  const faults: string[] = [];
  const documents = new Map<string, number>();
  const client = new KnowledgeClient(service);
  for await (const { document_id, chunks } of client.documents("default", { limit: 100 })) {
    if (documents.has(document_id)) faults.push(`${document_id} is there twice.`);
    documents.set(document_id, chunks);
  }
  for (const [id, { chunks }] of acknowledged) {
    const found = documents.get(id);
    if (found === undefined || found !== (chunks ?? found))
      faults.push(`${id} was acknowledged with ${chunks} chunks and has ${found ?? "none"}.`);
  }
  const [id, { text }] = [...acknowledged].at(-1) ?? ["", { text: "" }];
  if ((await client.getDocument("default", id)).text !== text)
    faults.push(`${id} has another text than was acknowledged.`);
  // A partial document would show as additional chunks.
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
