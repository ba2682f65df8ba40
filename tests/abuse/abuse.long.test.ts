import { expect, test } from "vitest";
import { serviceNames } from "../observability/services.ts";
import type { AbuseCase } from "./cases.ts";
import { buildCases } from "./cases.ts";
import { sendHostile } from "./hostile-client.ts";
import { listFailures } from "./report.ts";
import { AbusedService, hostileKey } from "./run.ts";

/** A fiftieth of each limit, and a few cases at the same time; `npm run test:abuse` takes all of them. */
const scale = (limit: number) => (limit > 20 ? Math.max(20, Math.floor(limit / 50)) : limit);
const atOnce = 4;
const documentCharacters = 150_000;
/** `npm run test:abuse` measures the slowest hundredth of the other key's requests, which takes more of them. */
const smallPauseMs = 100;

test.each(serviceNames)(
  "%s answers the worst cases of each route, and another key beside them, with bounded memory",
  async (name) => {
    const service = await AbusedService.start(name, { documentCharacters, smallPauseMs });
    const cases = buildCases(name, hostileKey, scale, service.storedPaths).values();
    const result = await service.during("all", "all", async (count) => {
      const answers = async ({ route, name, builds }: AbuseCase) => {
        for (const build of builds) {
          const outcome = await sendHostile(service.process.baseUrl, build());
          count(/^[2-4]\d\d$|^left$/.test(outcome) ? outcome : `${outcome} for ${route}, ${name}`);
        }
      };
      const client = async () => {
        for (const one of cases) await answers(one);
      };
      await Promise.all(Array.from({ length: atOnce }, client));
    });
    expect(listFailures(result)).toEqual([]);
    // Rejects when a request has held the event loop.
    await service.end();
  },
);
