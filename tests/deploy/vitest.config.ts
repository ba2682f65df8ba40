import { configureOwnCommand } from "../own-command.ts";

/** The deploy kit, with programs of its own: `npm run test:deploy` runs it, and so does the nightly run. */
export default configureOwnCommand({
  include: ["tests/deploy/*.e2e.ts"],
  globalSetup: "tests/deploy/install.ts",
  hookTimeout: 120_000,
});
