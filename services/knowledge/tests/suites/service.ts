import { startUnderTest } from "../under-test.ts";

/** The service of all suites. Each of them has namespaces of its own. */
export const { provider, service } = await startUnderTest({
  KNOWLEDGE_MAX_FILE_BYTES: "8000000",
  KNOWLEDGE_URL_ALLOW_PRIVATE: "true",
  LOG_LEVEL: "trace",
  STREAM_HEARTBEAT_MS: "50",
});
