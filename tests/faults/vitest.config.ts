import { compileCache, configureOwnCommand } from "../own-command.ts";

/** Faults on purpose: too long for every run of the tests. `npm run test:faults` runs them, and so does the nightly run. */
export default configureOwnCommand({
  include: ["tests/faults/**/*.faults.ts"],
  testTimeout: 600_000,
  maxWorkers: 2,
  env: compileCache,
});
