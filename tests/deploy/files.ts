import { readFileSync } from "node:fs";
import { join } from "node:path";
import { providerVariables, serviceVariables } from "@agent-backends/kit";
import { mcpVariables } from "@agent-backends/kit/mcp";
import { runVariables } from "@agent-backends/kit/runs";
import { knowledgeVariables } from "../../services/knowledge/configuration.ts";
import { listingVariables } from "../../services/listing/configuration.ts";
import { relayVariables } from "../../services/relay/core/configuration.ts";

export const root = join(import.meta.dirname, "../..");
export const deploy = join(root, "deploy");

export const readText = (file: string): string => readFileSync(join(deploy, file), "utf8");

/** Every variable that some service reads. */
export const knownVariables = new Set(
  [providerVariables, serviceVariables(8000), mcpVariables, runVariables]
    .flatMap((variables) => Object.keys(variables))
    .concat([knowledgeVariables, listingVariables, relayVariables].flatMap(({ shape }) => Object.keys(shape))),
);
