import { tryParseJson } from "../../json.ts";
import { splitCells } from "../reader/table-rows.ts";
import type { ChatRequestMessage } from "./chat-request.ts";

/** A Markdown table. Each row is a list of cells. */
export interface Table {
  columns: string[];
  rows: string[][];
}

export type Payload = { data: object } | { table: Table };

/**
 * Finds the data in a prompt: JSON between `<payload>` and `</payload>`, in a fenced block or as a whole message, else a
 * Markdown table. System messages take precedence over the last user message.
 */
export function findPayload(messages: ChatRequestMessage[]): Payload | undefined {
  const instructions = messages.filter(({ role }) => role === "system" || role === "developer");
  const user = messages.findLast(({ role }) => role === "user");
  for (const { content } of user ? [...instructions, user] : instructions) {
    const data = findJson(content);
    if (data) return { data };
    const table = findTable(content);
    if (table) return { table };
  }
  return undefined;
}

function findJson(content: string): object | undefined {
  const marked = /<payload>([\s\S]*?)<\/payload>/.exec(content) ?? /```(?:json)?\s*\n([\s\S]*?)```/.exec(content);
  const text = (marked?.[1] ?? content).trim();
  if (!/^[[{]/.test(text)) return undefined;
  return tryParseJson(text) as object | undefined;
}

function findTable(content: string): Table | undefined {
  const lines = content.split("\n");
  const rule = lines.findIndex(
    (line) => /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(line) && line.includes("|"),
  );
  const header = lines[rule - 1];
  if (!header?.includes("|")) return undefined;
  const rows: string[][] = [];
  for (const line of lines.slice(rule + 1)) {
    if (!line.includes("|")) break;
    rows.push(splitCells(line));
  }
  return { columns: splitCells(header), rows };
}
