import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { serviceMains } from "@agent-backends/testing";
import type { TestProject } from "vitest/node";

/**
 * Runs once before all tests, on a machine without compiled code. Tests kill most services that they start. A killed process writes
 * nothing to the cache, so the next one would compile the same modules again.
 */
export default async function fillCompileCache({ config }: TestProject): Promise<void> {
  const { NODE_COMPILE_CACHE = "" } = config.env as { NODE_COMPILE_CACHE?: string };
  if (existsSync(NODE_COMPILE_CACHE)) return;
  const env = { ...process.env, NODE_COMPILE_CACHE, LLM_API_KEY: "sk-test" };
  const check = (main: string) => promisify(execFile)(process.execPath, [join(config.root, main), "--check"], { env });
  await Promise.all(Object.values(serviceMains).map(check));
}
