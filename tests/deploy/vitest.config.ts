import { configureOwnCommand } from "../own-command.ts";

/** The deploy kit, with the programs it needs, run by `npm run test:deploy` and by the nightly run. */
export default configureOwnCommand({
  include: ["tests/deploy/*.e2e.ts"],
  globalSetup: "tests/deploy/install.ts",
  hookTimeout: 120_000,
});
