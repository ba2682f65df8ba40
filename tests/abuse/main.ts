// For each route of each service worst cases within its limits, and malformed requests, while another key's small requests go on.
// With words, only the cases whose service, route or name hold one of them.
import { exchange } from "../faults/exchange.ts";
import { malformedRequests } from "../faults/malformed-requests.ts";
import { serviceNames } from "../observability/services.ts";
import { casesOf } from "./cases.ts";
import { allFailuresOf, rowOf } from "./report.ts";
import type { AbuseResult } from "./run.ts";
import { AbusedService, hostileKey } from "./run.ts";

/** How many requests all services get together, and the number that they are made from. */
const malformed = Number(process.env.FAULT_REQUESTS ?? 100_000);
const seed = Number(process.env.FAULT_SEED ?? 1);
/** For how long a case goes on. */
const caseMs = Number(process.env.ABUSE_CASE_MS ?? 200);
const malformedAtOnce = 64;

const words = process.argv.slice(2);
const isWanted = (...about: string[]) => words.every((word) => about.some((text) => text.includes(word)));
const failures: string[] = [];
const print = (line: string) => process.stdout.write(`${line}\n`);
const begunAt = performance.now();

for (const name of serviceNames) {
  const service = await AbusedService.start(name);
  const cases = casesOf(name, hostileKey, (limit) => limit, service.largeDocumentPath);
  const wanted = cases.filter((one) => isWanted(name, one.route, one.name));
  print(`\n## ${name}\n\n| route | worst case | other key's p99 | most memory | answered |\n|---|---|---|---|---|`);
  const tell = (result: AbuseResult) => {
    print(rowOf(result));
    const about = `${name} ${result.route}, ${result.name}`;
    failures.push(...allFailuresOf(result).map((failure) => `${about}: ${failure}`));
  };
  for (const one of wanted) tell(await service.run(one, caseMs));
  if (isWanted(name, "malformed")) tell(await service.during("all", "malformed", sendMalformed(service)));
  await service.end().catch((error: Error) => failures.push(error.message));
}

print(`\n${Math.round((performance.now() - begunAt) / 1_000)} s`);
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
    await Promise.all(Array.from({ length: malformedAtOnce }, client));
  };
}
