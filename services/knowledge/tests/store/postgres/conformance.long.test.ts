import { setTimeout as delay } from "node:timers/promises";
import { createLogger } from "@agent-backends/kit";
import { CertificateAuthority, startPostgresServer } from "@agent-backends/testing";
import { afterAll, afterEach, expect, it } from "vitest";
import { StoreUnreachableError, UnknownStoreError, UnusableStoreError } from "../../../store/errors.ts";
import { parsePostgresAddress } from "../../../store/postgres/database/address.ts";
import { Database } from "../../../store/postgres/database/database.ts";
import { PostgresJobs } from "../../../store/postgres/postgres-jobs.ts";
import { PostgresStore } from "../../../store/postgres/postgres-store.ts";
import { testJobStore } from "../../jobs/conformance.ts";
import { killRounds } from "../../kill-rounds.ts";
import { testConformance } from "../conformance/conformance.ts";
import { buildDocument } from "../documents.ts";
import { killServer } from "./kill-rounds.ts";

const logger = createLogger("test", "silent");
/** Is never closed by a test. */
let databases: Database[] = [];

const server = await startPostgresServer();
const admin = new Database(parsePostgresAddress(server.url), { logger });
await admin.install();
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
function connect(url = server.pooledUrl): Database {
  const database = new Database(parsePostgresAddress(url), { logger });
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

it("is migrated once by processes that start at the same time", async () => {
  const schema = "started together";
  await Promise.all(Array.from({ length: 6 }, () => connect(`${server.pooledUrl}?schema=${schema}`).install()));
  const { rows } = await admin.query(`SELECT version FROM "${schema}".migrations ORDER BY version`);
  expect(rows).toEqual(rows.map((_, position) => ({ version: position + 1 })));
  await admin.query(`INSERT INTO "${schema}".migrations (version) VALUES (1000)`);
  await expect(connect(`${server.url}?schema=${schema}`).install()).rejects.toThrow(UnknownStoreError);
});

it("says at once what keeps the database from being used", async () => {
  await admin.query("CREATE ROLE limited LOGIN");
  await admin.execute("CREATE DATABASE limited OWNER limited");
  const limited = server.url.replace("//postgres@", "//limited:a-secret@");
  const refusals = [
    [limited.replace(/postgres$/, "limited"), /run `CREATE EXTENSION vector`/],
    [limited, /make the user its owner/],
    [`${server.url}s`, /does not have the database/],
    [`${server.url}?sslmode=require`, /does not offer TLS/],
    ["postgres://someone:a-secret@127.0.0.1:1/x", /does not answer/],
  ] as const;
  for (const [url, reason] of refusals) {
    const error = await connect(url)
      .check()
      .catch((error: unknown) => error);
    expect(error).toBeInstanceOf(UnusableStoreError);
    expect(String(error)).toMatch(reason);
    expect(String(error)).not.toContain("a-secret");
  }
});

it("waits for a free connection and for a server that takes writes, and knows at once of a user who may not connect", async () => {
  await admin.query("CREATE ROLE tenant LOGIN");
  await admin.query("GRANT postgres TO tenant");
  const tenant = server.url.replace("//postgres@", "//tenant@");
  for (const [from, to] of [
    ["CONNECTION LIMIT 0", "CONNECTION LIMIT -1"],
    ["SET default_transaction_read_only = on", "RESET default_transaction_read_only"],
  ]) {
    await admin.query(`ALTER ROLE tenant ${from}`);
    const written = connect(tenant).query("DELETE FROM namespaces");
    await delay(200);
    await admin.query(`ALTER ROLE tenant ${to}`);
    await written;
  }
  await admin.query("ALTER ROLE tenant NOLOGIN");
  await expect(connect(tenant).query("DELETE FROM namespaces")).rejects.toThrow(StoreUnreachableError);
});

it.each([
  ["sslmode=verify_full", "sslmode must be one of disable,"],
  ["sslmod=require", "sslmod is not a known parameter: did you mean sslmode?"],
  ["sslMode=require", "sslMode is not a known parameter: did you mean sslmode?"],
  ["sslmode=verify-ca&sslrootcrt=/ca.pem", "sslrootcrt is not a known parameter: did you mean sslrootcert?"],
  ["shema=customer", "shema is not a known parameter: did you mean schema?"],
])("refuses the misspelt parameters %s, which the driver would ignore", (parameters, message) => {
  expect(() => parsePostgresAddress(`postgres://a@b/c?${parameters}`)).toThrow(message);
});

it("leaves parameters of others to the driver", () => {
  const { connection } = parsePostgresAddress("postgres://a@b/c?channel_binding=require&connect_timeout=3&sslcrl=x");
  expect(connection).toMatchObject({ host: "b", database: "c" });
});

it("connects with TLS as the address asks for it, and says what is wrong with the certificate", async () => {
  const own = await startPostgresServer();
  const company = new CertificateAuthority();
  const stranger = new CertificateAuthority();
  try {
    await own.requireTls(company.issue("localhost"));
    const named = own.url.replace("127.0.0.1", "localhost");
    const knows = `sslrootcert=${company.authority.certFile}`;
    for (const url of [
      `${own.url}?sslmode=require`,
      `${own.url}?sslmode=verify-ca&${knows}`,
      `${named}?sslmode=verify-full&${knows}&channel_binding=prefer`,
    ]) {
      const { rows } = await connect(url).query<{ ssl: boolean }>(
        "SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()",
      );
      expect(rows).toEqual([{ ssl: true }]);
    }
    for (const [url, reason] of [
      [own.url, /takes connections with TLS only: add sslmode=verify-full/],
      [`${named}?sslmode=verify-full`, /unknown authority: add sslrootcert=/],
      [`${named}?sslmode=verify-full&sslrootcert=${stranger.authority.certFile}`, /unknown authority/],
      [`${own.url}?sslmode=verify-full&${knows}`, /certificate for another host: .* or sslmode=verify-ca/],
    ] as const) {
      const error = await connect(url)
        .check()
        .catch((error: unknown) => error);
      expect(error).toBeInstanceOf(UnusableStoreError);
      expect(String(error)).toMatch(reason);
    }
    await own.requireTls(company.issue("localhost"), company.authority);
    const { certFile, keyFile } = company.issue("postgres");
    const strict = `${named}?sslmode=verify-full&${knows}`;
    // The server reads its files again some moments later.
    const check = () =>
      connect(strict)
        .check()
        .then(() => "", String);
    await expect.poll(check).toMatch(/asks for a client certificate: add sslcert=/);
    await connect(`${strict}&sslcert=${certFile}&sslkey=${keyFile}`).check();
  } finally {
    await Promise.all(databases.map((database) => database.close()));
    databases = [];
    company.close();
    stranger.close();
    await own.stop();
  }
});

it("has no row of a deleted document any more once it is purged", async () => {
  const store = new PostgresStore(connect(), { logger });
  const document = buildDocument("A quokka.");
  await store.add("zoo", document);
  await store.deleteDocument("zoo", document.id);
  await admin.query("CREATE EXTENSION pageinspect");
  const countRows = async () => {
    const { rows } = await admin.query(
      `SELECT FROM generate_series(0, pg_relation_size('chunks') / 8192 - 1) AS page,
         heap_page_items(get_raw_page('chunks', page::integer)) WHERE position('quokka'::bytea IN t_data) > 0`,
    );
    return rows.length;
  };
  expect(await countRows()).toBe(1);
  await store.purge("zoo");
  expect(await countRows()).toBe(0);
});

it("what was acknowledged is whole and there once after the server was killed in the middle of writes", async () => {
  const report = await killRounds(1, undefined, killServer(server, true));
  expect(report).toMatchObject({ rounds: 1, faults: [] });
  expect(report.acknowledged).toBeGreaterThanOrEqual(6);
});
