import { createLogger } from "@agent-backends/kit";
import type { PostgresServer } from "@agent-backends/testing";
import { startPostgresServer } from "@agent-backends/testing";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll } from "vitest";
import { parsePostgresAddress } from "../../../store/postgres/address.ts";
import { Database } from "../../../store/postgres/database.ts";
import { PostgresJobs } from "../../../store/postgres/postgres-jobs.ts";
import { PostgresStore } from "../../../store/postgres/postgres-store.ts";
import { testJobStore } from "../../jobs/conformance.ts";
import { testConformance } from "../conformance/conformance.ts";

const logger = createLogger("test", "silent");
let server: PostgresServer;
let client: Client;
let databases: Database[] = [];

beforeAll(async () => {
  server = await startPostgresServer();
  client = new Client(server.url);
  await client.connect();
  await connect().install();
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

// Making all tables anew would take longer than most of the tests.
afterEach(async () => {
  await Promise.all(databases.map((database) => database.close()));
  databases = [];
  await client.query("DELETE FROM knowledge.documents; DELETE FROM knowledge.namespaces; DELETE FROM knowledge.jobs");
});

/** Connects through PgBouncer, so that nothing may outlive a transaction. */
function connect(): Database {
  const database = new Database(parsePostgresAddress(server.pooledUrl), { logger });
  databases.push(database);
  return database;
}

async function countChunks(): Promise<number> {
  const { rows } = await client.query("SELECT count(*)::integer AS count FROM knowledge.chunks");
  return rows[0].count;
}

testConformance("in PostgreSQL", { open: () => new PostgresStore(connect(), { logger }), countChunks });
testJobStore("in PostgreSQL", {
  open: (leaseMs) => new PostgresJobs(connect(), leaseMs === undefined ? {} : { leaseMs }),
});
