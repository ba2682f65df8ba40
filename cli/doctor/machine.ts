import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { promisify } from "node:util";
import { offlineStore, services, variableDefaults } from "@agent-backends/contract/services";
import type { ClientName } from "../command.ts";
import { root } from "../root.ts";

/** The result of one check. */
export interface Finding {
  about: string;
  status: "ok" | "note" | "problem";
  detail: string;
  /** The command to type, or the line to put into `.env`. */
  fix?: string;
}

/** One object for all services, so that it is printed only once. */
export const offlineNote: Finding = {
  about: "provider",
  status: "note",
  detail: "LLM_API_KEY is missing: with npm start, the offline provider answers instead of a model",
  fix: "LLM_API_KEY=your-key",
};

/** Every client connection takes a file descriptor, as do connections to the provider and files of the store. */
const minOpenFiles = 4_096;
const minFreeBytes = 1_024 ** 3;

/** Checks that need no running service: variables, the store's disk, process limits. */
export async function checkMachine(chosen: readonly ClientName[], environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const variables = await Promise.all(chosen.map((service) => checkVariables(service, environment)));
  const here = process.cwd();
  const detail = `read from ${here}; npm start reads the one in ${root}`;
  return [
    ...(here === root ? [] : [{ about: ".env", status: "note", detail } as const]),
    ...variables.flat(),
    ...(chosen.includes("knowledge") ? await checkStore(environment) : []),
    ...checkOpenFiles(),
  ];
}

/** Starts the service with `--check`, which prints one line for each invalid variable. */
async function checkVariables(service: ClientName, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const about = `variables of ${service}`;
  const main = resolve(root, services[service].main);
  if (!existsSync(main)) return [{ about, status: "problem", detail: "the project isn't built", fix: "npm run build" }];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [main, "--check"], {
    cwd: root,
    env: environment,
  }).catch((error: { stdout: string; stderr: string }) => error);
  const lines = `${stdout}${stderr}`.split("\n").filter(Boolean);
  if (lines.length > 0) return lines.map((line) => describeLine(about, line, environment));
  return [{ about, status: "ok", detail: "complete and well-formed" }];
}

function describeLine(about: string, line: string, environment: NodeJS.ProcessEnv): Finding {
  const [, variable, says = ""] = /^([A-Z][A-Z0-9_]+) (.+)$/.exec(line) ?? [];
  if (variable === undefined) return { about, status: "problem", detail: line };
  if (variable === "LLM_API_KEY" && says.startsWith("is missing")) {
    return offlineNote;
  }
  const meant = /did you mean (\w+)\?$/.exec(says)?.[1];
  const example = meant === undefined ? findExample(says) : showValue(meant, environment[variable]);
  const fix = example !== undefined && { fix: `${meant ?? variable}=${example}` };
  return { about, status: "problem", detail: line, ...fix };
}

/** The example of a whole value. An entry of LLM_FALLBACKS is three words. */
function findExample(says: string): string | undefined {
  if (/^(?:entry \d+ )?must (?:not|name) /.test(says)) return undefined;
  return /such as (\S+ [A-Z_]+ \S+$|[^\s,]+)/.exec(says)?.[1];
}

/** Keeps secrets out of terminals and logs. */
const showValue = (variable: string, value = ""): string =>
  /KEY|TOKEN|SECRET|PASSWORD/.test(variable) ? "your-key" : value;

async function checkStore(environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  // The offline provider of npm start has its own store.
  const usual = environment.LLM_API_KEY?.trim() ? variableDefaults.KNOWLEDGE_STORE : offlineStore;
  const store = environment.KNOWLEDGE_STORE?.trim() || usual;
  // The service itself tests a bucket when it starts.
  if (/^\w+:\/\//.test(store)) return [];
  let folder = resolve(root, store);
  while (!existsSync(folder)) folder = dirname(folder);
  const { bavail, bsize } = await statfs(folder);
  const free = bavail * bsize;
  const detail = `${(free / 1_024 ** 3).toFixed(1)} GiB free for ${store}`;
  if (free >= minFreeBytes) return [{ about: "store", status: "ok", detail }];
  return [{ about: "store", status: "problem", detail, fix: "KNOWLEDGE_STORE=/a/folder/on/a/larger/disk" }];
}

function checkOpenFiles(): Finding[] {
  // This file exists only on Linux.
  if (!existsSync("/proc/self/limits")) return [];
  const limit = Number(/Max open files\s+(\d+)/.exec(readFileSync("/proc/self/limits", "utf8"))?.[1] ?? Number.NaN);
  if (Number.isNaN(limit)) return [];
  const detail = `${limit} open files per process`;
  if (limit >= minOpenFiles) return [{ about: "limits", status: "ok", detail }];
  return [{ about: "limits", status: "problem", detail, fix: "ulimit -n 65536" }];
}
