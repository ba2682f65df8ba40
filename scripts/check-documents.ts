// node scripts/check-documents.ts <folder>
// The folder holds manifest.jsonl, a line for each document: {id, file, expect: {outcome, reason?, must_contain?: [{text, page?,
// slide?, sheet?}], must_not_contain?, optional?}}. Each is ingested by the service over HTTP, and what is stored is judged.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import type { DocumentResponse, IngestResponse, SearchResponse } from "@agent-backends/contract";
import { HealthWatch } from "./documents/health.ts";
import type { Outcome } from "./documents/judge.ts";
import { faultsOf } from "./documents/judge.ts";
import type { DocumentRow } from "./documents/manifest.ts";
import { readManifest } from "./documents/manifest.ts";
import { startTestedService } from "./documents/service.ts";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node scripts/check-documents.ts <folder>");
  process.exit(2);
}
const rows = readManifest(folder).filter(({ file }) => existsSync(join(folder, file)));
const service = await startTestedService();
const health = new HealthWatch(service.baseUrl);
const missed: string[] = [];
let bonuses = 0;

for (const row of rows) {
  const started = performance.now();
  const outcome = await ingest(folder, row);
  const milliseconds = performance.now() - started;
  const faults = await faultsOf(row, outcome);
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
  const form = new FormData();
  form.append("namespace", row.id);
  form.append("files", new Blob([await readFile(join(from, row.file))]), basename(row.file));
  const sent = await fetch(`${service.baseUrl}/api/tools/ingest`, { method: "POST", body: form });
  const response = (await sent.json()) as IngestResponse;
  const id = response.saved[0]?.document_id;
  const address = `${service.baseUrl}/api/namespaces/${encodeURIComponent(row.id)}/documents/${id}`;
  const text = id === undefined ? undefined : ((await (await fetch(address)).json()) as DocumentResponse).text;
  const chunksFor = async (query: string) => {
    const found = await fetch(`${service.baseUrl}/api/tools/searchDocs`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ namespace: row.id, query, max_results: 50 }),
    });
    return ((await found.json()) as SearchResponse).results;
  };
  return { response, ...(text !== undefined && { text }), chunksFor };
}
