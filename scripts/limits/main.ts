import { writeFile } from "node:fs/promises";
import { limitTable } from "@agent-backends/contract";
import { limitsDocument } from "./document.ts";

await writeFile(new URL("../../docs/limits.md", import.meta.url), limitsDocument(limitTable));
