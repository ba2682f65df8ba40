import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandProcess, freePorts } from "@agent-backends/testing";

const root = fileURLToPath(new URL("../..", import.meta.url));

const portVariables = ["RELAY_PORT", "RELAY_NEST_PORT", "KNOWLEDGE_PORT", "LISTING_PORT", "CONSOLE_PORT"] as const;

export interface Stack {
  url: string;
  ports: Record<(typeof portVariables)[number], number>;
  close(): Promise<void>;
}

/**
 * Starts everything like `npm start`, on free ports, with an empty store and without the developer's settings.
 *
 * @param environment additional variables, such as the provider's address
 */
export async function startStack(environment: Record<string, string> = {}): Promise<Stack> {
  execFileSync(process.execPath, ["scripts/build-console.ts"], { cwd: root });
  const store = await mkdtemp(join(tmpdir(), "console-test-"));
  const free = await freePorts(portVariables.length);
  const ports = Object.fromEntries(portVariables.map((name, index) => [name, free[index]])) as Stack["ports"];
  const named = Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)]));
  const command = new CommandProcess(process.execPath, ["scripts/start/main.ts"], {
    cwd: root,
    environment: { ...named, KNOWLEDGE_STORE: store, ...environment },
  });
  await command.printed(/Ctrl-C stops everything/);
  return {
    url: `http://127.0.0.1:${ports.CONSOLE_PORT}/`,
    ports,
    async close() {
      await command.stop();
      await rm(store, { recursive: true, force: true });
    },
  };
}

/** Stores files without the page. */
export async function storeFiles(
  { ports }: Stack,
  namespace: string,
  files: readonly (readonly [name: string, content: string | Uint8Array])[],
): Promise<void> {
  const form = new FormData();
  form.append("namespace", namespace);
  for (const [name, content] of files) form.append("files", new Blob([content as BlobPart]), name);
  const url = `http://127.0.0.1:${ports.KNOWLEDGE_PORT}/api/tools/ingest`;
  const response = await fetch(url, { method: "POST", body: form });
  if (response.status !== 200) throw new Error(`Not all files were stored: ${await response.text()}`);
}
