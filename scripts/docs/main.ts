// Regenerates the generated parts of the documentation.
import { readFileSync, writeFileSync } from "node:fs";
import { clientTypes } from "./client-types.ts";
import { parts, withParts } from "./parts.ts";

for (const file of Object.keys(parts)) writeFileSync(file, withParts(file, readFileSync(file, "utf8")));
for (const [file, text] of Object.entries(clientTypes)) writeFileSync(`packages/client/generated/${file}`, text);
