import { configureOwnCommand } from "../own-command.ts";

/** CopilotKit in front of the relays, run by `npm run test:copilotkit` and by the nightly run. */
export default configureOwnCommand({
  include: ["tests/copilotkit/*.e2e.ts"],
  globalSetup: "tests/copilotkit/install.ts",
});
