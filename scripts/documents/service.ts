import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Worker } from "node:worker_threads";
import { KnowledgeClient } from "@agent-backends/client";

/** The knowledge service in its own process, with a new store and the offline provider. */
export interface TestedService {
  baseUrl: string;
  client: KnowledgeClient;
  end(): Promise<void>;
}

/** Starts the service. @throws Error with its output when it exits before it listens */
export async function startTestedService(variables: Record<string, string> = {}): Promise<TestedService> {
  const folder = await mkdtemp(join(tmpdir(), "knowledge-documents-"));
  const provider = new Worker(new URL("./provider.ts", import.meta.url));
  const [providerUrl] = (await once(provider, "message")) as [string];
  const child = spawn(process.execPath, [join(import.meta.dirname, "../../services/knowledge/dist/main.js")], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      LLM_API_KEY: "offline",
      LLM_BASE_URL: providerUrl,
      KNOWLEDGE_EMBEDDING_MODEL: "offline",
      KNOWLEDGE_STORE: join(folder, "store"),
      PORT: "0",
      ...variables,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const exited = once(child, "exit");
  const baseUrl = await new Promise<string>((resolve, reject) => {
    const lines: string[] = [];
    createInterface({ input: child.stdout }).on("line", (line) => {
      lines.push(line);
      const address = /"address":"([^"]+)"/.exec(line)?.[1];
      if (address) resolve(address);
    });
    void exited.then(() => reject(new Error(`The service ended:\n${lines.join("\n")}`)));
  });
  return {
    baseUrl,
    client: new KnowledgeClient({ baseUrl }),
    async end() {
      child.kill("SIGTERM");
      await exited;
      await provider.terminate();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
