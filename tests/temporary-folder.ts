import { chmod, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Left by processes that tests kill: the service's own folder, which its next start removes, and files of the engine. */
const ofKilledProcesses = /^knowledge-.+\..+\.|^\./;

/** Gives all tests one folder for temporary files, which is removed after the run. The run fails if a test left something in it. */
export default async function useTemporaryFolder(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "agent-backends-tests-"));
  // PostgreSQL runs as a separate user.
  await chmod(folder, 0o755);
  process.env.TMPDIR = folder;
  return async () => {
    const left = (await readdir(folder)).filter((name) => !ofKilledProcesses.test(name));
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    if (left.length > 0) throw new Error(`Tests left these temporary files behind: ${left.join(", ")}`);
  };
}
