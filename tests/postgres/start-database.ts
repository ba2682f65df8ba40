import { startPostgresServer } from "@agent-backends/testing";

/** Starts the database of `npm run test:postgres`, which all tests share behind PgBouncer. */
export default async function startDatabase(): Promise<() => Promise<void>> {
  const server = await startPostgresServer();
  process.env.TEST_DATABASE = server.pooledUrl;
  return () => server.stop();
}
