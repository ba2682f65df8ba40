import { styleText } from "node:util";

/** Standard output or standard error. */
export interface Terminal {
  write(data: string | Uint8Array): unknown;
  isTTY?: boolean;
  columns?: number;
}

type Style = "bold" | "dim" | "red" | "green" | "yellow" | "cyan";

/** Where a command prints: results go to standard output, everything else to standard error. */
export class Output {
  readonly isJson: boolean;
  readonly #stdout: Terminal;
  readonly #stderr: Terminal;
  readonly #environment: NodeJS.ProcessEnv;

  constructor(options: { isJson: boolean; environment: NodeJS.ProcessEnv; stdout: Terminal; stderr: Terminal }) {
    this.isJson = options.isJson;
    this.#stdout = options.stdout;
    this.#stderr = options.stderr;
    this.#environment = options.environment;
  }

  /** Prints a command's result: one line of JSON with `--json`, else the text. */
  result(value: object, text: string): void {
    if (this.isJson) this.#stdout.write(`${JSON.stringify(value)}\n`);
    else if (text !== "") this.#stdout.write(text.endsWith("\n") ? text : `${text}\n`);
  }

  /** Prints text for people as it arrives. Prints nothing with `--json`. */
  write(text: string): void {
    if (!this.isJson) this.#stdout.write(text);
  }

  /** Writes bytes or text unchanged, whatever the options. */
  raw(data: string | Uint8Array): void {
    this.#stdout.write(data);
  }

  /** Prints a line for people on standard error. Prints nothing with `--json`. */
  note(line: string): void {
    if (!this.isJson) this.#stderr.write(`${line}\n`);
  }

  /** Prints why the command failed on standard error: as an object with `--json`. */
  error(message: string, details: { exitCode: number }): void {
    const text = this.isJson
      ? JSON.stringify({ error: { message, ...details } })
      : `${this.style("red", "agents:", "stderr")} ${message}`;
    this.#stderr.write(`${text}\n`);
  }

  /** Adds colours only in a terminal, and only without NO_COLOR. */
  style(style: Style | Style[], text: string, stream: "stdout" | "stderr" = "stdout"): string {
    const { isTTY } = stream === "stdout" ? this.#stdout : this.#stderr;
    if (!isTTY || this.isJson || this.#environment.NO_COLOR || this.#environment.TERM === "dumb") return text;
    return styleText(style, text, { validateStream: false });
  }

  /** The terminal to draw a progress bar on, if standard error is one. */
  get progressTerminal(): { write(text: string): void; columns: number } | undefined {
    const stream = this.#stderr;
    if (!stream.isTTY || this.isJson || this.#environment.TERM === "dumb") return undefined;
    return { write: (text) => void stream.write(text), columns: stream.columns || 80 };
  }

  /** Width of the terminal on standard output. Undefined for files and pipes, whose lines aren't cut. */
  get columns(): number | undefined {
    return this.#stdout.isTTY ? this.#stdout.columns || 80 : undefined;
  }
}
