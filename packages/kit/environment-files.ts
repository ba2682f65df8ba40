import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

/** Variables are missing or malformed. Each line names a variable and a correct value. */
export class ConfigurationError extends Error {
  override readonly name = "ConfigurationError";
  readonly lines: readonly string[];

  constructor(lines: readonly string[]) {
    super(lines.join("\n"));
    this.lines = lines;
  }
}

/**
 * Reads the `.env` file of each directory that has one. Existing variables take precedence, and so do earlier directories.
 *
 * @throws ConfigurationError if a file can't be read, a value's quote isn't closed (the value would then include the quote or the following
 *   lines), or a line sets nothing, which would be skipped
 */
export function loadEnvironmentFiles(...directories: string[]): void {
  for (const directory of directories) {
    const path = join(directory, ".env");
    if (!existsSync(path)) continue;
    const text = readText(path);
    const open = [...findOpenQuotes(text)].map(
      ({ variable, quote }) =>
        `${variable} in ${path} begins with ${quote}, which isn't closed: write ${variable}=${quote}…${quote}`,
    );
    if (open.length > 0) throw new ConfigurationError(open);
    const [line] = findLinesWithoutValue(text);
    if (line !== undefined) {
      throw new ConfigurationError([
        `line ${line} of ${path} has no =: write NAME=value, or # in front of a line that sets nothing`,
      ]);
    }
    for (const [name, value] of Object.entries(parseEnv(text))) process.env[name] ??= value;
  }
}

function readText(path: string): string {
  try {
    return decode(readFileSync(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigurationError([
      `${path} can't be read (${code}): it must be a file that the user of this process may read, or not be there`,
    ]);
  }
}

/** Windows editors start files with a byte order mark, and Windows PowerShell writes UTF-16 when it redirects into a file. */
function decode(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(isUtf16 ? "utf-16le" : "utf-8").decode(bytes);
}

/** Numbers of the lines that would be skipped. Their text isn't shown, because it may be a key. */
function* findLinesWithoutValue(text: string): Generator<number> {
  // A quoted value may span several lines.
  const blank = (value: string) => value.replace(/[^\n]/g, "=");
  const lines = text.replace(/^[^\n=#]+=[ \t]*(["'`])[\s\S]*?\1/gm, blank).split("\n");
  for (const [index, line] of lines.entries()) if (/^\s*[^\s#=][^=]*$/.test(line)) yield index + 1;
}

function* findOpenQuotes(text: string): Generator<{ variable: string; quote: string }> {
  for (const match of text.matchAll(/^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=[ \t]*(["'`])/gm)) {
    const [start, variable = "", quote = ""] = match;
    const [value = "", closed] = text.slice(match.index + start.length).split(quote, 2);
    // A value may span several lines. But if another variable's name precedes the next quote, that quote opens the other variable's value.
    if (closed === undefined || /\n[ \t]*(export[ \t]+)?\w+[ \t]*=[ \t]*$/.test(value)) yield { variable, quote };
  }
}
