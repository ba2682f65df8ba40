import { spawn } from "node:child_process";
import { once } from "node:events";
import { consolePort, services } from "@agent-backends/contract/services";
import { defineCommand, exitCodes, UsageError } from "../command.ts";
import { root } from "../root.ts";

const names = [...Object.values(services), consolePort].map(({ name }) => name);

export const serve = defineCommand({
  name: "serve",
  summary: "Start the services and the console, or only those you name",
  arguments: "[service…]",
  completes: names,
  details: `Does the same as npm start: installs and builds what is missing, and restarts services that crash. Ctrl-C stops everything.
Services: ${names.join(", ")}. Without a provider's key, the offline provider answers.`,
  options: {},
  examples: ["agents serve", "agents serve knowledge", "KNOWLEDGE_PORT=9001 agents serve knowledge console"],
  async run({ positionals }, { environment, signal }) {
    const unknown = positionals.find((name) => !names.some((known) => known === name));
    if (unknown !== undefined) throw new UsageError(`There is no service "${unknown}"; use ${names.join(", ")}.`);
    const child = spawn("npm", ["run", "--silent", "start"], {
      cwd: root,
      env: { ...environment, START_SERVICES: positionals.join(",") },
      stdio: ["ignore", "inherit", "inherit"],
    });
    // In a terminal, npm receives Ctrl-C as well, and treats both signals as one.
    signal.addEventListener("abort", () => child.kill("SIGTERM"));
    const [code] = (await once(child, "exit")) as [number | null];
    return signal.aborted ? exitCodes.interrupted : (code ?? exitCodes.failed);
  },
});
