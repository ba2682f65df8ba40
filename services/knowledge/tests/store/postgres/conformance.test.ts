import { createLogger } from "@agent-backends/kit";
import type { PostgresServer } from "@agent-backends/testing";
import { startPostgresServer } from "@agent-backends/testing";
import { Client } from "pg";
import { afterAll, afterEach, beforeAll } from "vitest";
import { parsePostgresAddress } from "../../../store/postgres/address.ts";
import { PostgresStore } from "../../../store/postgres/postgres-store.ts";
import { testConformance } from "../conformance/conformance.ts";

let server: PostgresServer;
let client: Client;
let stores: PostgresStore[] = [];

beforeAll(async () => {
  server = await startPostgresServer();
  client = new Client(server.url);
  await client.connect();
  await open().check();
});
afterAll(async () => {
  await client.end();
  await server.stop();
});

// Making all tables anew would take longer than most of the tests.
afterEach(async () => {
  await Promise.all(stores.map((store) => store.close()));
  stores = [];
  await client.query("DELETE FROM knowledge.documents; DELETE FROM knowledge.namespaces");
});

function open(): PostgresStore {
  // Through PgBouncer, so that nothing may outlive a transaction.
  const store = new PostgresStore(parsePostgresAddress(server.pooledUrl), { logger: createLogger("test", "silent") });
  stores.push(store);
  return store;
}

async function countChunks(): Promise<number> {
  const { rows } = await client.query("SELECT count(*)::integer AS count FROM knowledge.chunks");
  return rows[0].count;
}

testConformance("in PostgreSQL", { open, countChunks });
