import { readFileSync } from "node:fs";
import type { ServiceManifest } from "@agent-backends/contract/services";
import { services } from "@agent-backends/contract/services";
import { expect, test } from "vitest";
import type { z } from "zod";
import { knowledgeVariables } from "../../services/knowledge/configuration.ts";
import { toolActions } from "../../services/listing/actions/index.ts";
import { listingVariables } from "../../services/listing/configuration.ts";
import { relayVariables } from "../../services/relay/core/configuration.ts";
import { clientTypes } from "./client-types.ts";
import { parts, withParts } from "./parts.ts";

test.each(Object.keys(parts))(
  "%s says what the code does; npm run docs:tables writes its generated parts anew",
  (file) => {
    const document = readFileSync(file, "utf8");
    expect(document).toBe(withParts(file, document));
  },
);

test.each(Object.entries(clientTypes))(
  "packages/client/generated/%s is up to date; npm run docs:tables writes it anew",
  (file, text) => {
    expect(readFileSync(`packages/client/generated/${file}`, "utf8")).toBe(text);
  },
);

test("package.json starts each service as the manifest says", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
  for (const { script, main, nodeFlags, nodeEnvironment } of Object.values<ServiceManifest>(services)) {
    const environment = Object.entries(nodeEnvironment).map(([name, value]) => `${name}=${value} `);
    const command = ["exec node", ...nodeFlags, main].join(" ");
    expect(scripts[script]).toBe(
      `. scripts/install-product.sh && tsc -b --noCheck tsconfig.product.json && ${environment.join("")}${command}`,
    );
  }
});

test.each(toolActions.map(({ name, tool }) => ({ name, fields: Object.entries<z.ZodType>(tool.input.shape) })))(
  "docs/contract.md has a row for POST /tools/$name with its fields",
  ({ name, fields }) => {
    const names = fields.map(([field, schema]) => (schema.safeParse(undefined).success ? `${field}?` : field));
    const row = new RegExp(`^\\| \`POST /tools/${name}\` \\| .*? \\|`, "m").exec(
      readFileSync("docs/contract.md", "utf8"),
    );
    expect(row?.[0]).toBe(`| \`POST /tools/${name}\` | \`{${names.join(", ")}}\` |`);
  },
);

test.each([
  [".env.example", /^# ([A-Z_]+)=(.+)$/gm, ["AUTH_KEYS_FILE"]],
  ["deploy/compose/compose.yaml", /^ +([A-Z_]+): \$\{\1:-(.+)\}$/gm, ["KNOWLEDGE_STORE", "PUBLIC_HOST"]],
])("%s shows each variable with its default", (file, line, ownValues) => {
  const shapes = { ...relayVariables.shape, ...knowledgeVariables.shape, ...listingVariables.shape };
  const shown = [...readFileSync(file, "utf8").matchAll(line)].filter(([, name = ""]) => !ownValues.includes(name));
  expect(shown.length).toBeGreaterThan(4);
  for (const [, name = "", value] of shown) {
    expect([name, String(shapes[name as keyof typeof shapes].parse(undefined))]).toEqual([name, value]);
  }
});
