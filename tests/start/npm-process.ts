import { fileURLToPath } from "node:url";
import { CommandProcess } from "@agent-backends/testing";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** An npm command that runs beside a test, as a user would run it. */
export class NpmProcess extends CommandProcess {
  constructor(args: string[], environment: Record<string, string>) {
    super("npm", args, { cwd: root, environment });
  }
}
