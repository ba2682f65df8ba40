import { startObjectStore, startPostgresServer } from "@agent-backends/testing";

/** The ways to run the knowledge service, and what its tests (services/knowledge/tests/under-test.ts) need for each. */
export const setUps = ["folder", "workers", "object-store", "postgres"] as const;

/** Starts what all tests share in the set-up named by TEST_SETUP: a store for the replicas that they start. */
export default async function startSetUp(): Promise<() => Promise<void>> {
  const { TEST_SETUP } = process.env;
  if (TEST_SETUP === "workers") process.env.TEST_VARIABLES = JSON.stringify({ WORKERS: "2" });
  if (TEST_SETUP === "object-store") {
    const store = await startObjectStore();
    process.env.TEST_STORE = store.location;
    process.env.TEST_VARIABLES = JSON.stringify(store.variables);
    return () => store.close();
  }
  if (TEST_SETUP === "postgres") {
    const server = await startPostgresServer();
    process.env.TEST_STORE = server.pooledUrl;
    return () => server.stop();
  }
  return async () => undefined;
}
