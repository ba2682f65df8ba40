import type { Command, Option } from "../command.ts";
import { allOptions } from "../options.ts";
import { program } from "./help.ts";

export const shells = ["bash", "zsh", "fish"] as const;

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

function words(command: Command): string[] {
  const names = Object.keys(allOptions(command)).map((name) => `--${name}`);
  return [...(Array.isArray(command.completes) ? command.completes : []), ...names];
}

/** Options whose value is one of a few fixed words. */
const findChoiceOptions = (command: Command) =>
  Object.entries(allOptions(command)).flatMap(([name, { choices }]) => (choices ? [{ name, choices }] : []));

function bash(commands: readonly Command[]): string {
  const cases = commands.flatMap((command) => [
    ...findChoiceOptions(command).map(
      ({ name, choices }) =>
        `    ${command.name},--${name}) COMPREPLY=($(compgen -W ${quote(choices.join(" "))} -- "$word")); return ;;`,
    ),
  ]);
  const takesValue = (command: Command) =>
    Object.entries(allOptions(command)).flatMap(([name, { type, choices, completes, short }]) =>
      type === "string" && !choices && !completes
        ? [`${command.name},--${name}`, ...(short ? [`${command.name},-${short}`] : [])]
        : [],
    );
  const perCommand = commands.map(
    (command) => `    ${command.name}) COMPREPLY=($(compgen -W ${quote(words(command).join(" "))} -- "$word")) ;;`,
  );
  return `# ${program} completion bash: source it in ~/.bashrc
_${program}() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}" command="\${COMP_WORDS[1]}"
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W ${quote(commands.map(({ name }) => name).join(" "))} -- "$word"))
    return
  fi
  case "$command,$before" in
${cases.join("\n")}
    ${commands.flatMap(takesValue).join("|")}) return ;;
  esac
  case "$command" in
${perCommand.join("\n")}
  esac
}
complete -o default -F _${program} ${program}
`;
}

function zsh(commands: readonly Command[]): string {
  const escapeZsh = (text: string) =>
    text.replaceAll("\\", "\\\\").replaceAll("[", "\\[").replaceAll("]", "\\]").replaceAll(":", "\\:");
  const value = ({ choices, completes, value }: Option) => {
    if (choices) return `:${value ?? "value"}:(${choices.join(" ")})`;
    if (completes === "folder") return ":folder:_files -/";
    return completes === "file" ? ":file:_files" : `:${value ?? "value"}:`;
  };
  const spec = (name: string, option: Option) =>
    quote(
      `${option.multiple ? "*" : ""}--${name}[${escapeZsh(option.description)}]${option.type === "string" ? value(option) : ""}`,
    );
  const positional = ({ completes }: Command) => {
    if (completes === undefined) return [];
    if (completes === "file" || completes === "folder") return ["'*:file:_files'"];
    return [quote(`*:argument:(${completes.join(" ")})`)];
  };
  const cases = commands.map((command) => {
    const specs = Object.entries(allOptions(command)).map(([name, option]) => spec(name, option));
    return `    ${command.name}) _arguments ${[...specs, ...positional(command)].join(" ")} ;;`;
  });
  return `#compdef ${program}
# ${program} completion zsh: source it in ~/.zshrc after compinit
_${program}() {
  if (( CURRENT == 2 )); then
    local -a commands=(${commands.map(({ name, summary }) => quote(`${name}:${summary.replaceAll(":", "\\:")}`)).join(" ")})
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  (( CURRENT-- ))
  case $command in
${cases.join("\n")}
  esac
}
compdef _${program} ${program}
`;
}

function fish(commands: readonly Command[]): string {
  const lines = commands.flatMap((command) => {
    const isCommand = `-n '__fish_seen_subcommand_from ${command.name}'`;
    const options = Object.entries(allOptions(command)).map(
      ([name, { short, type, description, choices, completes }]) =>
        [
          `complete -c ${program} ${isCommand} -l ${name}`,
          ...(short ? [`-s ${short}`] : []),
          ...(type === "string" ? [completes ? "-r -F" : "-x"] : []),
          ...(choices ? [`-a ${quote(choices.join(" "))}`] : []),
          `-d ${quote(description)}`,
        ].join(" "),
    );
    const { completes } = command;
    const argument = Array.isArray(completes)
      ? [`complete -c ${program} ${isCommand} -f -a ${quote(completes.join(" "))}`]
      : completes
        ? [`complete -c ${program} ${isCommand} -F`]
        : [];
    return [
      `complete -c ${program} -n __fish_use_subcommand -f -a ${command.name} -d ${quote(command.summary)}`,
      ...argument,
      ...options,
    ];
  });
  return [`# ${program} completion fish | source`, `complete -c ${program} -f`, ...lines, ""].join("\n");
}

const scripts = { bash, zsh, fish };

/** A script that makes a shell complete commands, options and their values. */
export const completionScript = (shell: (typeof shells)[number], commands: readonly Command[]): string =>
  scripts[shell](commands);
