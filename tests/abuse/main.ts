// For each route of each service, sends worst cases within its limits, and malformed requests, while another key's small requests
// continue. With arguments, only the cases whose service, route or name matches each of them: npm run test:abuse -- knowledge
// "stream|mcp"
import { measureSlowness } from "@agent-backends/testing";
import { exchange } from "../faults/exchange.ts";
import { malformedRequests } from "../faults/malformed-requests.ts";
import { serviceNames } from "../observability/services.ts";
import type { AbuseCase } from "./cases.ts";
import { buildCases } from "./cases.ts";
import { formatRow, formatSummary, listAllFailures, sumOthersMs, tableHead } from "./report.ts";
import type { AbuseResult } from "./run.ts";
import { AbusedService, hostileKey } from "./run.ts";

/** Number of malformed requests to all services together, and the seed that generates them. */
const malformed = Number(process.env.FAULT_REQUESTS ?? 100_000);
const seed = Number(process.env.FAULT_SEED ?? 1);
const caseMs = Number(process.env.ABUSE_CASE_MS ?? 200);
const malformedConcurrency = 96;
/** On a processor of the usual speed, without the time that other programs take. */
const maxTotalMs = 600_000;
/** The first measurements compile the code they measure. */
const slowness = Math.min(...Array.from({ length: 10 }, measureSlowness));

const words = process.argv.slice(2);
const isWanted = (...about: string[]) => words.every((word) => about.some((text) => new RegExp(word).test(text)));
const isCaseWanted = (service: string) => (one: AbuseCase) => isWanted(service, one.route, one.name);
const failures: string[] = [];
const results: AbuseResult[] = [];
const print = (line: string) => process.stdout.write(`${line}\n`);
const begunAt = performance.now();

for (const name of serviceNames) {
  const isMalformedWanted = isWanted(name, "malformed");
  if (!isMalformedWanted && !buildCases(name, hostileKey, (limit) => limit, []).some(isCaseWanted(name))) continue;
  const service = await AbusedService.start(name, { turnTolerance: 1 });
  const cases = buildCases(name, hostileKey, (limit) => limit, service.storedPaths);
  for (const line of ["", `## ${name}`, "", ...tableHead]) print(line);
  const printResult = (result: AbuseResult) => {
    print(formatRow(result));
    results.push(result);
    const about = `${name} ${result.route}, ${result.name}`;
    failures.push(...listAllFailures(result, slowness).map((failure) => `${about}: ${failure}`));
  };
  for (const one of cases.filter(isCaseWanted(name))) printResult(await service.run(one, caseMs));
  if (isMalformedWanted) printResult(await service.during("all", "malformed", sendMalformed(service)));
  await service.end().catch((error: Error) => failures.push(error.message));
}

const totalMs = performance.now() - begunAt;
if (totalMs - sumOthersMs(results) > maxTotalMs * slowness)
  failures.push(`the whole run took more than ${maxTotalMs / 60_000} minutes`);
print(
  `\n${formatSummary(results)}, ${Math.round(totalMs / 1_000)} s on a processor ${slowness.toFixed(2)} times slower than that of the limits`,
);
for (const failure of failures) print(`FAILED ${failure}`);
process.exitCode = failures.length > 0 ? 1 : 0;

function sendMalformed({ name, process: { baseUrl } }: AbusedService) {
  return async (count: (outcome: string) => void) => {
    const { hostname, port } = new URL(baseUrl);
    const sendings = malformedRequests(name, seed, [`X-API-Key: ${hostileKey}`]);
    let left = Math.ceil(malformed / serviceNames.length);
    const client = async () => {
      while (left-- > 0) count(await exchange(hostname, Number(port), sendings.next().value));
    };
    await Promise.all(Array.from({ length: malformedConcurrency }, client));
  };
}
