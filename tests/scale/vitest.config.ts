import { compileCache, configureOwnCommand } from "../own-command.ts";

/** The knowledge service's own tests, in the set-up named by TEST_SETUP. Run by `npm run test:scale` and by the nightly run. */
const { TEST_SETUP } = process.env;

export default configureOwnCommand({
  include: [
    "services/knowledge/tests/**/*.test.ts",
    ...(TEST_SETUP === "postgres" ? ["services/knowledge/tests/store/postgres/*.nightly.ts"] : []),
  ],
  // These tests examine files on the disk or objects in a bucket, use their own stores, or need a single process.
  exclude: [
    "**/tests/{replicas,small-stores}/**",
    "**/tests/store/**/*.test.ts",
    "**/tests/{kill-rounds.long,purge,process.long}.test.ts",
    // The number of concurrent jobs, the end of a cancelled one, and the pause of a failing reranker are handled by each process
    // separately.
    ...(TEST_SETUP === "folder" ? [] : ["**/tests/{reranker,jobs/job-progress.long}.test.ts"]),
    "**/tests/jobs/{job-folder,jobs,lance-jobs}.test.ts",
  ],
  globalSetup: "tests/scale/set-ups.ts",
  expect: { poll: { timeout: 30_000 } },
  maxWorkers: 2,
  env: compileCache,
});
