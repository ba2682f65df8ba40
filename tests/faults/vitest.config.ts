import { compileCache, configureOwnCommand } from "../own-command.ts";

/** Tests with injected faults, which take too long for every run. Run by `npm run test:faults` and by the nightly run. */
export default configureOwnCommand({
  include: ["tests/faults/**/*.faults.ts"],
  testTimeout: 600_000,
  maxWorkers: 2,
  env: compileCache,
});
