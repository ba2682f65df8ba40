import {
  agUiEventUses,
  chunkMetadataSchema,
  citationSchema,
  contractEventSchema,
  ingestErrorCodes,
  jobItemSchema,
  limitTable,
  listingActions,
  listingEventSchema,
  listingTools,
  problemTypes,
  provenanceSchema,
  replyEventSchema,
  runErrorCodes,
  services,
  toolEventSchema,
} from "@agent-backends/contract";
import type { ServiceManifest } from "@agent-backends/contract/services";
import { consolePort } from "@agent-backends/contract/services";
import { providerVariables, serviceVariables } from "@agent-backends/kit";
import { mcpVariables } from "@agent-backends/kit/mcp";
import { runVariables } from "@agent-backends/kit/runs";
import type { z } from "zod";
import { exitCodeMeanings, exitCodes } from "../../cli/command.ts";
import { commands } from "../../cli/commands/index.ts";
import { optionMeaning, optionUsage, usageLine } from "../../cli/terminal/help.ts";
import { knowledgeVariables } from "../../services/knowledge/configuration.ts";
import { formats } from "../../services/knowledge/ingest/extract/formats.ts";
import { listingVariables } from "../../services/listing/configuration.ts";
import { languageCodes } from "../../services/listing/routing/languages/index.ts";
import { describeCapabilities } from "../../services/relay/core/capabilities.ts";
import { optionVariables, relayVariables } from "../../services/relay/core/configuration.ts";
import { defaultOptions } from "../../services/relay/core/options.ts";
import { readCosts, readRelaySpeed } from "../capacity/costs.ts";
import { scalingTable } from "../capacity/report.ts";
import { contentSecurityPolicy } from "../start/console-server.ts";
import { code, enumerate, eventRows, fieldNames, jsonShape, limitRows, table, variableRows } from "./tables.ts";

const shared = { ...providerVariables, ...serviceVariables(services.relay.port), ...mcpVariables, ...runVariables };

/** The variables that only this service reads. */
function ownVariables({ shape }: z.ZodObject): string {
  const own = Object.entries(shape).filter(([name]) => !(name in shared));
  return variableRows(Object.fromEntries(own), limitTable);
}

const started = [...Object.values(services), consolePort];

const formatNames = Object.values(formats).map(
  ({ label, extensions }) => `${label}s (${extensions.map((extension) => code(`.${extension}`)).join(", ")})`,
);

const languageNames = new Intl.DisplayNames("en", { type: "language" });

/** The relay's options with their defaults, and the variables that the service reads them from. */
function relayOptionRows(): string {
  const variables: Record<string, string> = {
    ...optionVariables,
    logger: "LOG_LEVEL",
    egress: "HTTPS_PROXY, HTTP_PROXY, NO_PROXY, LLM_TLS_CERT, LLM_TLS_KEY",
    runOwner: "the key of the request",
  };
  const defaults: Record<string, string> = {
    apiKey: "none: provider requests have no `Authorization` header",
    fallbacks: "none; a list of `{ baseUrl, model, apiKey }`",
    runsUrl: "none: runs can't be resumed",
    runOwner: "all runs belong to everybody",
    logger: "warnings, to the standard output; a logger of pino or `createLogger`",
    egress: "direct connections, no client certificate",
  };
  return table(
    ["option", "default", "variable of the service"],
    Object.entries(defaultOptions)
      .filter(([name]) => name !== "keyVariable")
      .map(([name, value]) => [...[code(name), defaults[name] ?? code(String(value)), code(variables[name] ?? "")]]),
  );
}

/** A section for each command of `agents`. The common options are described once, in the page itself. */
function commandSections(): string {
  const cell = (text: string) => text.replaceAll("|", "\\|");
  return commands
    .map((command) => {
      const options = Object.entries(command.options).map(([name, option]) => [
        ...[code(optionUsage(name, option)), cell(optionMeaning(option))],
      ]);
      return [
        `### ${command.name}`,
        `${command.summary}.`,
        ["```", usageLine(command), "```"].join("\n"),
        ...(command.details === undefined ? [] : [command.details]),
        ...(options.length > 0 ? [table(["option", "meaning"], options)] : []),
        [
          "```sh",
          ...command.examples.map((line) =>
            line.replace(/(?<!npx --no-install )\bagents /g, "npx --no-install agents "),
          ),
          "```",
        ].join("\n"),
      ].join("\n\n");
    })
    .join("\n\n");
}

const codeTable = (codes: Readonly<Record<string, string>>) =>
  table(
    ["`code`", "when"],
    Object.entries(codes).map(([name, when]) => [code(name), when]),
  );

const exitCodeRows = () =>
  table(
    ["code", "meaning"],
    Object.entries(exitCodeMeanings).map(([name, meaning]) => [exitCodes[name as keyof typeof exitCodes], meaning]),
  );

/**
 * All generated parts of the documentation, by file and by the name in their marks. To add one, put the marks `<!-- generated: NAME -->`
 * and `<!-- /NAME -->` into the file, add an entry here, and run `npm run docs:tables`.
 */
export const parts: Record<string, Record<string, () => string>> = {
  "README.md": {
    "relay-speed": () => {
      const { tokensPerSecond, timesTutorial } = readRelaySpeed();
      const million = (tokensPerSecond / 1e6).toFixed(1);
      return [
        `- **Fast.** The relay passes on ${million} million tokens per second on one core, ${timesTutorial.toFixed(0)} times as many as the usual tutorial's.`,
        "  [Measured, and repeatable](docs/benchmarks.md).",
      ].join("\n");
    },
  },
  "docs/guides/mcp.md": {
    "listing-actions": () => `The actions are ${enumerate(listingActions.map(code))}.`,
  },
  "docs/guides/chat-platform.md": {
    "deployment-urls": () =>
      table(
        ["agent", "deployment URL", "it sends"],
        [services.knowledge, services.listing, services.relay].map(({ title, streamingPath, streams }) => [
          ...[title.replace(/ \(.*/, ""), code(`https://your-host${streamingPath}`), streams],
        ]),
      ),
  },
  "docs/guides/ag-ui.md": {
    "ag-ui-urls": () =>
      table(
        ["agent", "AG-UI 1.x", "AG-UI 0.0.x, such as CopilotKit"],
        [services.knowledge, services.listing, services.relay].map(({ title, agUiPath }) => {
          const url = `https://your-host${agUiPath}`;
          return [title.replace(/ \(.*/, ""), code(url), code(`${url}?profile=ag-ui-0`)];
        }),
      ),
  },
  "docs/configuration.md": {
    "start-alone": () => {
      const commands = Object.values(services).map(({ script }) => `npm run ${script}`);
      return ["```sh", ...commands, "```"].join("\n");
    },
    "shared-variables": () =>
      [
        variableRows(shared, limitTable),
        `| ${started.map(({ startPortVariable }) => code(startPortVariable)).join(", ")} | ${started.map(({ startPort }) => code(String(startPort))).join(", ")} | the ports of \`npm start\`; where ${services.relayNest.startPort} is taken, the second relay gets a free one |`,
      ].join("\n"),
    "relay-variables": () => ownVariables(relayVariables),
    "knowledge-variables": () => ownVariables(knowledgeVariables),
    "listing-variables": () => ownVariables(listingVariables),
  },
  "docs/scaling.md": {
    capacity: () => {
      const [columns = [], ...rows] = scalingTable(readCosts());
      return table(columns, rows);
    },
  },
  "deploy/start.sh": {
    "start-lines": () =>
      Object.values<ServiceManifest>(services)
        .map(({ name, main, nodeFlags, nodeEnvironment }) => {
          const environment = Object.entries(nodeEnvironment).map(
            ([variable, value]) => `export ${variable}=${value} && `,
          );
          return `${name}) ${environment.join("")}exec node ${[...nodeFlags, main].join(" ")} ;;`;
        })
        .join("\n"),
  },
  "deploy/compose/edge/default.conf.template": {
    "content-security-policy": () => `    add_header Content-Security-Policy "${contentSecurityPolicy}";`,
  },
  "docs/cli.md": { commands: commandSections, "exit-codes": exitCodeRows },
  "docs/relay.md": { options: relayOptionRows },
  "docs/limits.md": { limits: () => limitRows(limitTable) },
  "docs/contract.md": {
    formats: () => `Files may be ${enumerate(formatNames)}, each told by its content or its name.`,
    problems: () =>
      table(
        ["status", "name", "when", "what to do"],
        Object.entries(problemTypes).map(([name, { status, when, fix }]) => [status, code(name), when, fix]),
      ),
    "item-errors": () => codeTable(ingestErrorCodes),
    capabilities,
    "run-errors": () => codeTable(runErrorCodes),
    stages: () => eventRows(jobItemSchema, "stage"),
    "chunk-metadata": () => `\`metadata\` holds ${fieldNames(chunkMetadataSchema)}.`,
    citations: () => `A citation has ${fieldNames(citationSchema)}.`,
    "reply-events": () => eventRows(replyEventSchema, "type"),
    "tool-events": () => eventRows(toolEventSchema, "type"),
    "listing-actions": () =>
      `For each user message, the agent picks one action: ${Object.keys(listingTools).map(code).join(", ")} or the fallback ${code("advice")}.`,
    "listing-tools": () =>
      table(
        ["route", "body", "answers"],
        Object.entries(listingTools).map(([name, { request, payload }]) => [
          code(`POST /tools/${name}`),
          code(jsonShape(request)),
          // The fields that all lists share are described below the table.
          code(jsonShape(payload, "status" in payload.shape ? Object.keys(provenanceSchema.shape) : [])),
        ]),
      ),
    "listing-languages": () =>
      `- Messages to \`/agent\` may be in ${enumerate(languageCodes.map((code) => languageNames.of(code) ?? code).sort())}, or in several of them. Most messages in other languages get \`advice\`.`,
    "listing-events": () => eventRows(listingEventSchema, "type"),
    "relay-events": () => eventRows(contractEventSchema, "type"),
    "ag-ui-events": () =>
      table(
        ["event", "sent"],
        [
          ...Object.entries(agUiEventUses.sent).map(([type, when]) => [code(type), when]),
          ...Object.entries(agUiEventUses.neverSent).map(([type, why]) => [code(type), `never: ${why}`]),
        ],
      ),
  },
};

/** One line per group. */
function capabilities(): string {
  const { runTimeoutMs } = defaultOptions;
  const groups = Object.entries(describeCapabilities({ runTimeoutMs, vendor: "openai", resumable: false }));
  const lines = groups.map(([group, fields]) => `  "${group}": ${JSON.stringify(fields)}`);
  return `\`\`\`json\n{\n${lines.join(",\n")}\n}\n\`\`\``;
}

/** Returns the document with up-to-date generated parts. @throws Error if the marks of a part are missing */
export function withParts(file: string, document: string): string {
  let current = document;
  for (const [name, render] of Object.entries(parts[file] ?? {})) {
    const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- /${name} -->`];
    const [before, rest] = current.split(begin);
    const [old, after] = rest?.split(end) ?? [];
    if (before === undefined || after === undefined) throw new Error(`${file} has no ${begin} … ${end}`);
    // In a script the mark is inside a comment.
    const [comment = ""] = /^ *# $/m.exec(old?.slice(old.lastIndexOf("\n") + 1) ?? "") ?? [];
    current = `${before}${begin}\n\n${render()}\n\n${comment}${end}${after}`;
  }
  return current;
}
