import { readFile, rename, writeFile } from "node:fs/promises";
import type { ChangeEvent } from "@agent-backends/client";
import { KnowledgeClient } from "@agent-backends/client";
import type { Context } from "../command.ts";
import { defineCommand } from "../command.ts";
import { connect } from "../connect.ts";
import { namespaceOption } from "../options.ts";

export const changes = defineCommand({
  name: "changes",
  summary: "List what was added, changed or deleted in a namespace",
  arguments: "",
  service: "knowledge",
  details: `Lists all documents the first time. With --state, the next run lists only the changes since. With --follow and --json, each line is an
event.`,
  options: {
    ...namespaceOption,
    state: { type: "string", value: "FILE", completes: "file", description: "file that stores the last cursor" },
    since: { type: "string", value: "CURSOR", description: "only changes since this cursor, which --json prints" },
    follow: { type: "boolean", short: "f", description: "keep running, and list changes as they happen" },
  },
  examples: [
    "agents changes --namespace manuals --state manuals.cursor",
    "agents changes --namespace manuals --follow --json",
  ],
  async run({ values }, { out, environment, fetch, signal }) {
    const { namespace = "default", state, follow } = values;
    const client = new KnowledgeClient({ ...connect("knowledge", values, environment), fetch });
    const since = values.since ?? (state === undefined ? undefined : await readCursor(state));
    const found: ChangeEvent[] = [];
    let cursor: string | undefined;
    for await (const event of client.changes(namespace, { since }, { follow, signal })) {
      if (event.type === "cursor") cursor = event.cursor;
      else if (event.type !== "error" && !follow) found.push(event);
      if (follow && out.isJson) out.raw(`${JSON.stringify(event)}\n`);
      else out.write(toLine(event, out));
      if (event.type === "cursor" && state !== undefined) await writeCursor(state, event.cursor);
    }
    if (!follow) out.result({ namespace, changes: found, cursor }, found.length === 0 ? "Nothing has changed." : "");
  },
});

function toLine(event: ChangeEvent, out: Context["out"]): string {
  if (event.type === "added" || event.type === "changed") {
    const sign = event.type === "added" ? out.style("green", "+") : out.style("yellow", "~");
    return `${sign} ${event.document_id}  ${event.title}  ${out.style("dim", event.source)}\n`;
  }
  return event.type === "deleted" ? `${out.style("red", "-")} ${event.document_id}\n` : "";
}

async function readCursor(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).trim() || undefined;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Writes a new file and renames it, so that an interruption leaves either the old or the new cursor. */
async function writeCursor(file: string, cursor: string): Promise<void> {
  await writeFile(`${file}.new`, `${cursor}\n`);
  await rename(`${file}.new`, file);
}
