import { configureOwnCommand } from "../own-command.ts";

/** `npm run test:workers`: workers are killed and replaced repeatedly under load, alone and with replicas. */
export default configureOwnCommand({
  include: ["tests/workers/*.rounds.ts"],
  testTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
});
