import { configureOwnCommand } from "../own-command.ts";

/** CopilotKit in front of the relays: `npm run test:copilotkit` runs it, and so does the nightly run. */
export default configureOwnCommand({
  include: ["tests/copilotkit/*.e2e.ts"],
  globalSetup: "tests/copilotkit/install.ts",
});
