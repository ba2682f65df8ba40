import type { Command } from "../command.ts";
import { defineCommand, UsageError } from "../command.ts";
import { completionScript, shells } from "../terminal/completion.ts";

/** The table of commands includes this one, so it is passed as a function. */
export const createCompletion = (commands: () => readonly Command[]): Command =>
  defineCommand({
    name: "completion",
    summary: "Print the completion script of a shell",
    arguments: "<bash|zsh|fish>",
    completes: shells,
    options: {},
    examples: [
      "source <(npx --no-install agents completion bash)",
      "source <(npx --no-install agents completion zsh)",
      "npx --no-install agents completion fish | source",
    ],
    async run({ positionals }, { out }) {
      const shell = shells.find((known) => known === positionals[0]);
      if (shell === undefined || positionals.length > 1) throw new UsageError(`Name one shell: ${shells.join(", ")}.`);
      const script = completionScript(shell, commands());
      out.result({ shell, script }, script);
      return undefined;
    },
  });
