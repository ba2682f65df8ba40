import { startObjectStore } from "@agent-backends/testing";
import type { Connection } from "@lancedb/lancedb";
import { connect } from "@lancedb/lancedb";
import { afterAll, afterEach, beforeEach } from "vitest";
import { LanceJobs } from "../../store/lance/jobs/lance-jobs.ts";
import { LanceLeases } from "../../store/lance/leases/lance-leases.ts";
import { testJobStore } from "./conformance.ts";

let connection: Connection;
let count = 0;

const objectStore = await startObjectStore();
beforeEach(async () => {
  count += 1;
  const { AWS_ENDPOINT: awsEndpoint = "", AWS_ACCESS_KEY_ID: awsAccessKeyId = "" } = objectStore.variables;
  const storageOptions = {
    awsEndpoint,
    awsAccessKeyId,
    awsSecretAccessKey: awsAccessKeyId,
    awsRegion: "us-east-1",
    allowHttp: "true",
  };
  connection = await connect(`${objectStore.location}/${count}`, { readConsistencyInterval: 0, storageOptions });
});
afterEach(() => connection.close());
afterAll(() => objectStore.close());

const open = (leaseMs?: number) => {
  const options = { creationSettleMs: 0, ...(leaseMs !== undefined && { leaseMs }) };
  return new LanceJobs(async () => connection, new LanceLeases(async () => connection, options), options);
};

testJobStore("in LanceDB on an object store", { open });
