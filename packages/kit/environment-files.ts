import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

/** Variables that are missing or malformed: one line for each, naming it and saying what would be right. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/**
 * Reads the `.env` file of each directory that has one. What is already set wins, and so do earlier directories.
 *
 * @throws ConfigurationError if a value's quote isn't closed: the quote, or the lines after it, would be a part of the value
 */
export function loadEnvironmentFiles(...directories: string[]): void {
  for (const directory of directories) {
    const path = join(directory, ".env");
    if (!existsSync(path)) continue;
    const text = decode(readFileSync(path));
    const open = [...findOpenQuotes(text)].map(
      ({ variable, quote }) =>
        `${variable} in ${path} begins with ${quote}, which isn't closed: write ${variable}=${quote}…${quote}`,
    );
    if (open.length > 0) throw new ConfigurationError(open);
    for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
  }
}

/** Editors on Windows begin files with a mark, and its shell writes UTF-16 when it redirects into one. */
function decode(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

function* findOpenQuotes(text: string): Generator<{ variable: string; quote: string }> {
  for (const match of text.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(["'`])/gm)) {
    const [start, variable = "", quote = ""] = match;
    const [value = "", closed] = text.slice(match.index + start.length).split(quote, 2);
    // Values may have several lines. But the next quote of the kind may be the first one of another variable.
    if (closed === undefined || /\n[ \t]*(export[ \t]+)?\w+[ \t]*=[ \t]*$/.test(value)) yield { variable, quote };
  }
}
