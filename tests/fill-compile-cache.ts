import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serviceMains, startService } from "@agent-backends/testing";
import type { TestProject } from "vitest/node";

/**
 * Runs once before all tests, on a machine without compiled code. Tests kill most services that they start. A killed process writes
 * nothing to the cache, so the next one would compile the same modules again.
 */
export default async function fillCompileCache({ config }: TestProject): Promise<void> {
  const { NODE_COMPILE_CACHE = "" } = config.env as { NODE_COMPILE_CACHE?: string };
  if (existsSync(NODE_COMPILE_CACHE)) return;
  const folder = await mkdtemp(join(tmpdir(), "compile-cache-"));
  const variables = { NODE_COMPILE_CACHE, KNOWLEDGE_STORE: join(folder, "store") };
  const startOnce = async (main: string) => {
    const service = await startService(join(config.root, main), variables);
    service.process.kill();
    await service.exited;
  };
  await Promise.all(Object.values(serviceMains).map(startOnce));
  await rm(folder, { recursive: true });
}
