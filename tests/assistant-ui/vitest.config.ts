import { configureOwnCommand } from "../own-command.ts";

/**
 * assistant-ui in front of the agents, run by `npm run test:assistant-ui`. package.json holds one of its packages back, because later
 * versions in the range that the others accept lack exports they import.
 */
export default configureOwnCommand({
  include: ["tests/assistant-ui/*.e2e.ts"],
  globalSetup: "tests/assistant-ui/install.ts",
});
