// Runs several replicas of the knowledge service on one object store, behind nginx: with writers that race, replicas that are killed
// while they own jobs, and a store that is slow, fails or is unreachable. No acknowledged document may be lost or duplicated, and every
// request must be answered. With arguments, only those phases: npm run test:replicas -- races kills
import { setTimeout } from "node:timers/promises";
import type { Job, KnowledgeClient } from "@agent-backends/client";
import type { ObjectStore } from "@agent-backends/testing";
import { Answers, createClient, describeTimes } from "./clients.ts";
import { ReplicaSet } from "./replica-set.ts";

const kills = Number(process.env.REPLICA_KILLS ?? 20);
const awayMs = 30_000;
/** Jobs owned by a killed replica wait until its leases expire. */
const maxJobMs = 240_000;
const words = process.argv.slice(2);

const buildText = (name: string, number: number) =>
  `Document ${number} of ${name} tells of ${["zebras", "gnus", "okapis", "quolls"][number % 4]} and number ${number * 7919}.`;

const failures: string[] = [];
const print = (line: string) => process.stdout.write(`${line}\n`);
const set = await ReplicaSet.start();

const phases: Record<string, (client: KnowledgeClient) => Promise<void>> = {
  races: raceWriters,
  kills: killOwners,
  restarts: restartInTurn,
  slow: (client) => workDuring(client, "slow", { delayMs: 200 }),
  failing: (client) => workDuring(client, "failing", { failureRate: 0.05 }),
  away: surviveAbsence,
  latencies: measureSearches,
};

for (const [name, phase] of Object.entries(phases)) {
  if (words.length > 0 && !words.includes(name)) continue;
  const startedAt = performance.now();
  const answers = new Answers();
  print(`\n## ${name}`);
  try {
    await phase(createClient(set.baseUrl, answers));
  } catch (error) {
    failures.push(`${name}: ${error instanceof Error ? error.message : error}`);
  }
  set.objectStore.faults = {};
  if ([...answers.statuses.keys()].some((key) => key.endsWith(" 500"))) failures.push(`${name}: some answers were 500`);
  if (answers.unanswered > 0) failures.push(`${name}: ${answers.unanswered} requests were not answered`);
  for (const line of answers.describe()) print(line);
  print(`${Math.round((performance.now() - startedAt) / 1_000)} s`);
}
await set.close();
for (const failure of failures) print(`FAILED ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** Whether each replica finds each of these texts in a namespace exactly once. */
async function verify(namespace: string, texts: Iterable<string>): Promise<void> {
  const expected = new Set(texts);
  for (const url of set.urls) {
    const client = createClient(url);
    const { namespaces } = await client.namespacesPage({ limit: 100 });
    const count = namespaces.find((one) => one.namespace === namespace)?.documents ?? 0;
    if (count !== expected.size) {
      failures.push(`${namespace}: ${count} documents instead of ${expected.size} at ${url}`);
    }
  }
  const client = createClient(set.baseUrl);
  for (const text of expected) {
    const again = await client.ingest({ namespace, sources: [text] });
    if (again.skipped.length !== 1) failures.push(`${namespace}: "${text.slice(0, 60)}" was lost`);
  }
}

/** @returns the id of the job and the address of the replica that accepted it */
async function startJob(client: KnowledgeClient, namespace: string, texts: readonly string[]) {
  let replica = "";
  const onResponse = ({ headers }: Response) => {
    replica = headers.get("x-replica") ?? "";
  };
  const files = texts.map((content, index) => ({ name: `${index}.txt`, content }));
  const { job_id: id } = await client.startIngest({ namespace, files }, { onResponse });
  return { id, replica };
}

async function waitUntilEnded(client: KnowledgeClient, id: string): Promise<Job> {
  for (const until = performance.now() + maxJobMs; performance.now() < until; await setTimeout(1_000)) {
    const job = await client.getJob(id);
    if (job.finished_at !== undefined) return job;
  }
  throw new Error(`Job ${id} did not end.`);
}

async function verifyJobs(client: KnowledgeClient, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const job = await waitUntilEnded(client, id);
    if (job.status !== "done" || job.errors > 0)
      failures.push(`job ${id} is ${job.status}: ${JSON.stringify(job.items)}`);
  }
}

/** Writers store the same documents in new namespaces at the same time. Acknowledged documents are searched on every replica at once. */
async function raceWriters(client: KnowledgeClient): Promise<void> {
  const found: number[] = [];
  for (let round = 0; round < 5; round += 1) {
    const namespace = `races ${round}`;
    const texts = Array.from({ length: 12 }, (_, number) => buildText(namespace, number));
    const write = async (writer: number) => {
      for (const text of [...texts.slice(writer * 2), ...texts.slice(0, writer * 2)]) {
        const { saved } = await client.ingest({ namespace, sources: [text] });
        if (saved.length === 0) continue;
        const acknowledgedAt = performance.now();
        const hits = await Promise.all(set.urls.map((url) => createClient(url).search({ namespace, query: text })));
        found.push(performance.now() - acknowledgedAt);
        if (!hits.every(({ results }) => results.some(({ content }) => content === text))) {
          failures.push(`${namespace}: a replica didn't find "${text}" at once`);
        }
      }
    };
    await Promise.all([0, 1, 2, 3, 4, 5].map(write));
    await verify(namespace, texts);
  }
  print(`acknowledged documents found by the first search of all replicas: ${describeTimes(found)}`);
}

/** Kills the replica that accepted a job while the job is running. It comes back as a new machine. */
async function killOwners(client: KnowledgeClient): Promise<void> {
  const texts: string[] = [];
  const ids: string[] = [];
  for (let kill = 0; kill < kills; kill += 1) {
    const files = Array.from({ length: 8 }, (_, number) => {
      const text = buildText(`kills ${kill}`, number);
      // The last texts take some time.
      return number < 6 ? text : `${text}\n\n`.repeat(2_000 * (number - 5)) + text;
    });
    texts.push(...files.map((text) => text.trim()));
    const { id, replica } = await startJob(client, "kills", files);
    ids.push(id);
    await setTimeout((kill * 137) % 1_500);
    const owner = set.urls.findIndex((url) => url.endsWith(replica));
    await set.kill(owner);
    await set.restart(owner);
    const { status, items } = await client.getJob(id);
    print(
      `kill ${kill + 1}: replica ${owner}, ${status}, ${items.filter(({ stage }) => stage === "saved").length} saved`,
    );
  }
  await verifyJobs(client, ids);
  await verify("kills", texts);
}

/** Simulates the deployment of a new version: one replica after the other is shut down gracefully, and comes back as a new machine. */
async function restartInTurn(client: KnowledgeClient): Promise<void> {
  await workDuring(client, "restarts", {}, async () => {
    for (let index = 0; index < set.size; index += 1) {
      await set.stop(index);
      await set.restart(index);
    }
  });
}

async function workDuring(
  client: KnowledgeClient,
  namespace: string,
  faults: ObjectStore["faults"],
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<void> {
  const texts = Array.from({ length: 24 }, (_, number) => buildText(namespace, number));
  set.objectStore.faults = faults;
  const jobTexts = Array.from({ length: 4 }, (_, number) => buildText(`a job, ${namespace}`, number));
  const job = startJob(client, namespace, jobTexts);
  const work = async (worker: number) => {
    for (const text of texts.filter((_, number) => number % 4 === worker)) {
      const { saved, skipped } = await client.ingest({ namespace, sources: [text] });
      if (saved.length + skipped.length !== 1) failures.push(`${namespace}: "${text}" was not stored`);
      const { results } = await client.search({ namespace, query: text });
      if (!results.some(({ content }) => content === text)) failures.push(`${namespace}: "${text}" was not found`);
    }
  };
  await Promise.all([...[0, 1, 2, 3].map(work), meanwhile()]);
  await verifyJobs(client, [(await job).id]);
  set.objectStore.faults = {};
  await verify(namespace, [...texts, ...jobTexts]);
}

async function surviveAbsence(client: KnowledgeClient): Promise<void> {
  const namespace = "away";
  const before = Array.from({ length: 40 }, (_, number) => buildText(namespace, number));
  const { id } = await startJob(client, namespace, before);
  const texts = Array.from({ length: 8 }, (_, number) => buildText("meanwhile", number));
  const ingests = texts.map(async (text, number) => {
    await setTimeout(number * 4_000);
    const { saved, skipped } = await client.ingest({ namespace, sources: [text] });
    if (saved.length + skipped.length !== 1) failures.push(`${namespace}: "${text}" was not stored`);
  });
  set.objectStore.faults = { isAway: true };
  await setTimeout(awayMs);
  set.objectStore.faults = {};
  await Promise.all(ingests);
  await verifyJobs(client, [id]);
  await verify(namespace, [...before, ...texts]);
}

/** Measures searches on a store whose requests take as long as those of a store in the same region. */
async function measureSearches(client: KnowledgeClient): Promise<void> {
  const namespace = "latencies";
  const texts = Array.from({ length: 1_000 }, (_, number) => buildText(namespace, number));
  for (let start = 0; start < texts.length; start += 100)
    await client.ingest({ namespace, sources: texts.slice(start, start + 100) });
  await setTimeout(20_000);
  set.objectStore.faults = { delayMs: 15 };
  const fresh = new Answers();
  for (const temperature of ["cold", "warm"]) {
    const answers = new Answers();
    const durations = temperature === "cold" ? set.size : 200;
    if (temperature === "cold") {
      for (let index = 0; index < set.size; index += 1) {
        await set.kill(index);
        await set.restart(index);
      }
    }
    for (let number = 0; number < durations; number += 1) {
      const url = set.urls[number % set.size] ?? set.baseUrl;
      await createClient(url, answers).search({ namespace, query: buildText(namespace, number) });
    }
    print(`${temperature}: ${answers.describe().join("; ")}`);
    if (temperature === "cold") continue;
    for (let number = 0; number < 30; number += 1) {
      const text = `A fresh document, number ${number}.`;
      const [first, second] = [set.urls[number % set.size], set.urls[(number + 1) % set.size]] as [string, string];
      await createClient(first, fresh).ingest({ namespace, sources: [text] });
      const { results } = await createClient(second, fresh).search({ namespace, query: text });
      if (!results.some(({ content }) => content === text))
        failures.push(`${namespace}: "${text}" was not found at once`);
    }
    print(`found by another replica right after it was acknowledged: ${fresh.describe().join("; ")}`);
  }
}
