import { compileCache, configureOwnCommand } from "../own-command.ts";

/** The knowledge service's own tests, with the set-up that TEST_SETUP names. `npm run test:scale` runs them, and so does the nightly run. */
const { TEST_SETUP } = process.env;

export default configureOwnCommand({
  include: [
    "services/knowledge/tests/**/*.test.ts",
    ...(TEST_SETUP === "postgres" ? ["services/knowledge/tests/store/postgres/*.long.ts"] : []),
  ],
  // What these look at are files on the disk or objects in a bucket, stores of their own, or one process.
  exclude: [
    "**/tests/{replicas,small-stores}/**",
    "**/tests/store/**/*.test.ts",
    "**/tests/{kill-rounds,purge,process}.test.ts",
    // How many jobs run at once, when a cancelled one ends, and when a failing reranker is left alone, is a matter of each process.
    ...(TEST_SETUP === "folder" ? [] : ["**/tests/{reranker,jobs/job-progress}.test.ts"]),
    "**/tests/jobs/{job-folder,jobs,lance-jobs}.test.ts",
  ],
  globalSetup: "tests/scale/set-ups.ts",
  expect: { poll: { timeout: 30_000 } },
  maxWorkers: 2,
  env: compileCache,
});
