import { configureOwnCommand } from "../own-command.ts";

/**
 * assistant-ui in front of the agents: `npm run test:assistant-ui` runs it. package.json holds one of its packages back, because later
 * versions in the range that the others ask for lack what they import.
 */
export default configureOwnCommand({
  include: ["tests/assistant-ui/*.e2e.ts"],
  globalSetup: "tests/assistant-ui/install.ts",
});
