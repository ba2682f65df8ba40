import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("../..", import.meta.url));

export interface NamedTest {
  file: string;
  title: string;
}

/** The rows of both OWASP tables in docs/security.md, with the tests named in each. */
export const rows = readFileSync(`${root}docs/security.md`, "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, risk, shownBy] = /^\| ((?:LLM|API)\d+)[^|]*\| [^|]* \| (.*) \|$/.exec(line) ?? [];
    if (risk === undefined || shownBy === undefined) return [];
    const named = [...shownBy.matchAll(/`([^`]+)`: “([^”]+)”/g)];
    return [{ risk, tests: named.map(([, file = "", title = ""]): NamedTest => ({ file, title })) }];
  });
