// npm run check:documents -- <folder>
// The folder holds manifest.jsonl, a line for each document: {id, file, expect: {outcome, reason?, must_contain?: [{text, page?,
// slide?, sheet?}], must_not_contain?, optional?}}. Ingests each document over HTTP, and compares the stored text with the expectations.
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { DocumentRow, Outcome } from "./documents/expectations.ts";
import { findFaults, readManifest } from "./documents/expectations.ts";
import { HealthWatch } from "./documents/health.ts";
import { startTestedService } from "./documents/service.ts";
import { requireArgument } from "./json-lines.ts";

const folder = requireArgument("npm run check:documents -- <folder>");
const rows = readManifest(folder);
const service = await startTestedService();
const health = new HealthWatch(service.baseUrl);
const missed: string[] = [];
let bonuses = 0;

for (const row of rows) {
  const started = performance.now();
  const outcome = await ingest(folder, row);
  const milliseconds = performance.now() - started;
  const faults = await findFaults(row, outcome);
  const { errors } = outcome.response;
  const verdict = faults.length === 0 ? "ok" : row.expect.optional ? "no (optional)" : "MISSED";
  if (verdict === "MISSED") missed.push(row.file);
  if (row.expect.optional && faults.length === 0) bonuses += 1;
  const got = outcome.text === undefined ? `${errors[0]?.code}` : `${outcome.text.length} characters`;
  const cells = [verdict.padEnd(13), row.file.padEnd(60), row.expect.outcome.padEnd(17), got.padEnd(19)];
  const times = `${milliseconds.toFixed(0).padStart(6)} ms, health ${health.takeSlowest().toFixed(0).padStart(4)} ms`;
  console.log([...cells, times, ...faults].join("  "));
}

const { count, p50, p99, max } = await health.stop();
await service.end();
const required = rows.filter(({ expect }) => !expect.optional).length;
console.log(`\nrequired ${required - missed.length}/${required}, optional ${bonuses}/${rows.length - required}`);
console.log(
  `health: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, slowest ${max.toFixed(1)} ms of ${count} answers`,
);
process.exit(missed.length === 0 ? 0 : 1);

async function ingest(from: string, row: DocumentRow): Promise<Outcome> {
  const { client } = service;
  const file = { name: basename(row.file), content: await readFile(join(from, row.file)) };
  const response = await client.ingest({ namespace: row.id, files: [file] });
  const id = response.saved[0]?.document_id;
  const text = id === undefined ? undefined : (await client.getDocument(row.id, id)).text;
  const chunksFor = async (query: string) =>
    (await client.search({ namespace: row.id, query, max_results: 50 })).results;
  return { response, ...(text !== undefined && { text }), chunksFor };
}
