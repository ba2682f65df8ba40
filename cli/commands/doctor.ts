import type { ClientName, Context } from "../command.ts";
import { defineCommand, exitCodes, UsageError } from "../command.ts";
import { addressVariables, connect } from "../connect.ts";
import type { Finding } from "../doctor/machine.ts";
import { checkMachine } from "../doctor/machine.ts";
import { tryProvider } from "../doctor/provider.ts";
import { checkService, restartLine } from "../doctor/service.ts";
import { namespaceOption } from "../options.ts";

const all = ["knowledge", "listing", "relay"] as const satisfies readonly ClientName[];
const marks = { ok: "✓", note: "·", problem: "✗" } as const;
const colours = { ok: "green", note: "dim", problem: "red" } as const;

export const doctor = defineCommand({
  name: "doctor",
  summary: "Find out what is wrong, and show the line that fixes it",
  arguments: "[knowledge|listing|relay…]",
  completes: all,
  service: "knowledge",
  details: `Checks variables, ports, the provider, the store, keys, proxies that buffer streams, the clock and the limits of this machine.
To test streams, it asks each agent one short question, which costs some tokens. --no-ask skips that.
With --url, also name the service at that address: agents doctor relay --url https://agents.example.com`,
  options: {
    ...namespaceOption,
    "no-ask": { type: "boolean", description: "don't ask the agents a question" },
  },
  examples: ["agents doctor", "agents doctor knowledge --url https://agents.example.com --no-ask"],
  async run({ values, positionals }, context) {
    const unknown = positionals.find((name) => !all.some((known) => known === name));
    if (unknown !== undefined) throw new UsageError(`There is no service "${unknown}"; use ${all.join(", ")}.`);
    const chosen = positionals.length > 0 ? all.filter((name) => positionals.includes(name)) : all;
    if (values.url !== undefined && chosen.length > 1) {
      throw new UsageError(
        "Name the service at --url, for example: agents doctor relay --url https://agents.example.com",
      );
    }
    const { out, environment } = context;
    const findings: Finding[] = [];
    const add = (found: readonly Finding[]) => {
      for (const finding of found) {
        if (findings.includes(finding)) continue;
        findings.push(finding);
        out.write(format(finding, out));
      }
    };
    const isRemote = values.url !== undefined || chosen.some((name) => environment[addressVariables[name]]?.trim());
    if (!isRemote) add(await checkMachine(chosen, environment));
    const options = {
      ...context,
      ...{ asks: values["no-ask"] !== true, namespace: values.namespace ?? "default" },
      startedWith: isRemote ? undefined : environment,
    };
    for (const name of chosen) {
      try {
        add(await checkService(name, connect(name, values, environment), options));
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        add([{ about: name, status: "problem", detail: error.message }]);
      }
    }
    // Until they are restarted, the running services may use another provider, so test the configured one here.
    if (findings.some(({ fix }) => fix === restartLine)) add(await tryProvider(environment));
    const problems = findings.filter(({ status }) => status === "problem").length;
    out.result({ problems, findings }, `\n${problems === 0 ? "No problems found." : `${problems} to fix.`}`);
    return problems === 0 ? exitCodes.ok : exitCodes.failed;
  },
});

function format({ about, status, detail, fix }: Finding, out: Context["out"]): string {
  const line = `${out.style(colours[status], marks[status])} ${about}: ${detail}\n`;
  if (fix === undefined) return line;
  const where = /^[A-Z_]+=/.test(fix) ? " (a line of .env)" : "";
  return `${line}    fix${where}: ${out.style("bold", fix)}\n`;
}
