import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { knowledgeVariables } from "../../services/knowledge/configuration.ts";
import { listingVariables } from "../../services/listing/configuration.ts";
import { relayVariables } from "../../services/relay/core/configuration.ts";
import { parts, withParts } from "./parts.ts";

test.each(Object.keys(parts))("%s says what the code does; npm run docs writes its generated parts anew", (file) => {
  const document = readFileSync(file, "utf8");
  expect(document).toBe(withParts(file, document));
});

test(".env.example shows each variable with its default", () => {
  const shapes = { ...relayVariables.shape, ...knowledgeVariables.shape, ...listingVariables.shape };
  const shown = [...readFileSync(".env.example", "utf8").matchAll(/^# ([A-Z_]+)=(.+)$/gm)];
  expect(shown.length).toBeGreaterThan(4);
  for (const [, name = "", value] of shown.filter(([, name]) => name !== "AUTH_KEYS_FILE")) {
    expect([name, shapes[name as keyof typeof shapes].parse(undefined)]).toEqual([name, value]);
  }
});
