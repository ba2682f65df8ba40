import { configureOwnCommand } from "../own-command.ts";

/** `npm run test:workers`: workers that are killed and replaced again and again under load, alone and over replicas. */
export default configureOwnCommand({
  include: ["tests/workers/*.rounds.ts"],
  testTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
});
