import { readFile, writeFile } from "node:fs/promises";
import { formats } from "../../services/knowledge/ingest/extract/formats.ts";
import { withFormats } from "./readme.ts";

const readme = new URL("../../README.md", import.meta.url);
await writeFile(readme, withFormats(await readFile(readme, "utf8"), Object.values(formats)));
