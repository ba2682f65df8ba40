import type { ChatRequestMessage } from "./chat-request.ts";

/** A Markdown table: its column names and its rows, cell by cell. */
export interface Table {
  columns: string[];
  rows: string[][];
}

export type Payload = { data: object } | { table: Table };

/**
 * The data that a prompt carries: JSON between `<payload>` and `</payload>`, in a fenced block or as a whole message; else a Markdown
 * table. What the system says goes before what the last user message holds.
 */
export function findPayload(messages: ChatRequestMessage[]): Payload | undefined {
  const instructions = messages.filter(({ role }) => role === "system" || role === "developer");
  const user = messages.findLast(({ role }) => role === "user");
  for (const { content } of user ? [...instructions, user] : instructions) {
    const data = jsonIn(content);
    if (data) return { data };
    const table = tableIn(content);
    if (table) return { table };
  }
  return undefined;
}

function jsonIn(content: string): object | undefined {
  const marked = /<payload>([\s\S]*?)<\/payload>/.exec(content) ?? /```(?:json)?\s*\n([\s\S]*?)```/.exec(content);
  const text = (marked?.[1] ?? content).trim();
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as object;
  } catch {
    return undefined;
  }
}

function tableIn(content: string): Table | undefined {
  const lines = content.split("\n");
  const rule = lines.findIndex(
    (line) => /^\s*\|?\s*:?-{2,}:?\s*(?:\|\s*:?-{2,}:?\s*)*\|?\s*$/.test(line) && line.includes("|"),
  );
  const header = lines[rule - 1];
  if (!header?.includes("|")) return undefined;
  const rows: string[][] = [];
  for (const line of lines.slice(rule + 1)) {
    if (!line.includes("|")) break;
    rows.push(cellsOf(line));
  }
  return { columns: cellsOf(header), rows };
}

function cellsOf(line: string): string[] {
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}
