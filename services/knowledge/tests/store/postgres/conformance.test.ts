import { createLogger } from "@agent-backends/kit";
import type { PostgresServer } from "@agent-backends/testing";
import { startPostgresServer } from "@agent-backends/testing";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { parsePostgresAddress } from "../../../store/postgres/address.ts";
import { Database } from "../../../store/postgres/database.ts";
import { PostgresJobs } from "../../../store/postgres/postgres-jobs.ts";
import { PostgresStore } from "../../../store/postgres/postgres-store.ts";
import { testJobStore } from "../../jobs/conformance.ts";
import { killRounds } from "../../kill-rounds.ts";
import { testConformance } from "../conformance/conformance.ts";
import { killServer } from "./kill-rounds.ts";

const logger = createLogger("test", "silent");
let server: PostgresServer;
/** Is never closed by a test. */
let admin: Database;
let databases: Database[] = [];

beforeAll(async () => {
  server = await startPostgresServer();
  admin = new Database(parsePostgresAddress(server.url), { logger });
  await admin.install();
});
afterAll(async () => {
  await admin.close();
  await server.stop();
});

// Making all tables anew would take longer than most of the tests.
afterEach(async () => {
  await Promise.all(databases.map((database) => database.close()));
  databases = [];
  for (const table of ["documents", "namespaces", "jobs"]) await admin.query(`DELETE FROM ${table}`);
});

/** Connects through PgBouncer, so that nothing may outlive a transaction. */
function connect(): Database {
  const database = new Database(parsePostgresAddress(server.pooledUrl), { logger });
  databases.push(database);
  return database;
}

async function countChunks(): Promise<number> {
  const { rows } = await admin.query<{ count: number }>("SELECT count(*)::integer AS count FROM chunks");
  return rows[0]?.count ?? 0;
}

testConformance("in PostgreSQL", { open: () => new PostgresStore(connect(), { logger }), countChunks });
testJobStore("in PostgreSQL", {
  open: (leaseMs) => new PostgresJobs(connect(), leaseMs === undefined ? {} : { leaseMs }),
});

it("what was acknowledged is whole and there once after the server was killed in the middle of writes", async () => {
  const report = await killRounds(1, undefined, killServer(server, true));
  expect(report).toMatchObject({ rounds: 1, faults: [] });
  expect(report.acknowledged).toBeGreaterThanOrEqual(6);
});
