import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { addressVariables } from "../connect.ts";
import { runAgents } from "./run-in-process.ts";

const mains = {
  knowledge: serviceMains.knowledge,
  listing: serviceMains.listing,
  relay: serviceMains["relay-express"],
};

/** Running services, and a command line in this process that talks to them. */
export interface CommandLine extends AsyncDisposable {
  /** A folder for the test's files. */
  folder: string;
  provider: ScriptedProvider;
  environment: Record<string, string>;
  agents(...args: string[]): ReturnType<typeof runAgents>;
  /** Runs a command with --json, and returns its exit code with its result. */
  // biome-ignore lint/suspicious/noExplicitAny: each command has its own result
  json(...args: string[]): Promise<any>;
  /** Writes files below `folder`. Returns the folder that contains them. */
  write(files: Record<string, string>, below: string): Promise<string>;
  /** The sources of a namespace, sorted. */
  sourcesIn(namespace: string): Promise<string[]>;
}

/** The provider's usual answer. */
export const usualAnswer = answer.text("Refunds take ", "5 days. ", "[1]");

export async function startCommandLine(...services: (keyof typeof mains)[]): Promise<CommandLine> {
  const folder = await mkdtemp(join(tmpdir(), "cli-"));
  const provider = await startScriptedProvider({ script: usualAnswer });
  const running = await Promise.all(
    services.map((service) =>
      startService(resolve(mains[service]), {
        LLM_BASE_URL: provider.baseUrl,
        KNOWLEDGE_STORE: join(folder, "store"),
        KNOWLEDGE_URL_ALLOW_PRIVATE: "true",
      }),
    ),
  );
  const environment: Record<string, string> = { XDG_STATE_HOME: join(folder, "state") };
  for (const [at, service] of services.entries()) environment[addressVariables[service]] = running[at]?.baseUrl ?? "";
  const agents = (...args: string[]) => runAgents(args, environment);
  const json: CommandLine["json"] = async (...args) => {
    const { exitCode, output, notes } = await agents(...args, "--json");
    return { exitCode, ...JSON.parse(output || notes) };
  };
  return {
    ...{ folder, provider, environment, agents, json },
    async write(files, below) {
      for (const [name, text] of Object.entries(files)) {
        const path = join(folder, below, name);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, text);
      }
      return join(folder, below);
    },
    async sourcesIn(namespace) {
      const { documents } = await json("documents", "--namespace", namespace);
      return (documents as { source: string }[]).map(({ source }) => source).sort();
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(running.map((service) => service.end()));
      await provider.close();
      await rm(folder, { recursive: true });
    },
  };
}
