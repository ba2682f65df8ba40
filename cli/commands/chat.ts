import { createInterface } from "node:readline/promises";
import type { GenerateResponse } from "@agent-backends/client";
import { KnowledgeClient, ListingClient, RelayClient } from "@agent-backends/client";
import type { ClientName, Context } from "../command.ts";
import { CommandError, defineCommand, exitCodes, UsageError } from "../command.ts";
import { connect, requireNamespaces } from "../connect.ts";
import { toCommandError } from "../failures.ts";
import { parseFilter, searchScope, searchScopeOptions } from "../options.ts";
import { cutNotes, formatCitations } from "../terminal/citations.ts";

interface Message {
  role: "user" | "assistant";
  content: string;
}

/** Fields that follow the text of a librarian's answer. */
type Ending = Pick<GenerateResponse, "citations" | "finish_reason">;

/** Answers the last message. Yields the text as it arrives, then the librarian's citations and finish reason. */
type Answer = (messages: readonly Message[], signal: AbortSignal) => AsyncGenerator<string | Ending>;

const commandsHint = "Ctrl-C stops an answer, Ctrl-D or /exit ends the chat, /new starts a new conversation.";

const agents = ["knowledge", "listing", "relay"] as const satisfies readonly ClientName[];

export const chat = defineCommand({
  name: "chat",
  summary: "Talk with an agent: knowledge, listing or relay",
  arguments: "[knowledge|listing|relay]",
  completes: agents,
  service: "knowledge",
  details: `${commandsHint} Without a terminal, each line of the input is a message; with --json
each answer is one line {"role": "assistant", "content": …} with its citations.`,
  options: searchScopeOptions,
  examples: [
    "agents chat --namespace manuals",
    "agents chat listing",
    "echo 'Top 3 yesterday?' | agents chat listing --json",
  ],
  async run({ values, positionals: [given = "knowledge", ...others] }, context) {
    const agent = agents.find((known) => known === given);
    if (!agent || others.length > 0) throw new UsageError(`Name one agent: ${agents.join(", ")}.`);
    const { out, signal } = context;
    const answer = createAnswer(agent, values, context);
    const isTerminal = process.stdin.isTTY === true && !out.isJson;
    const lines = createInterface({
      input: process.stdin,
      ...(isTerminal && { output: process.stderr }),
      prompt: "> ",
    });
    signal.addEventListener("abort", () => lines.close());
    let exitCode: number = exitCodes.ok;
    let isClosed = false;
    let stop: AbortController | undefined;
    lines.on("close", () => {
      isClosed = true;
      // At the end of piped input, let the answer to the last line finish.
      if (isTerminal) stop?.abort();
    });
    // readline intercepts Ctrl-C in a terminal.
    lines.on("SIGINT", () => {
      if (stop) return stop.abort();
      exitCode = exitCodes.interrupted;
      lines.close();
    });
    let messages: Message[] = [];
    let failure: CommandError | undefined;
    if (isTerminal) out.note(commandsHint);
    if (isTerminal) lines.prompt();
    for await (const line of lines) {
      const content = line.trim();
      if (content === "/exit") break;
      if (content === "/new") messages = [];
      else if (/^\/\w+$/.test(content)) out.note(`There is no ${content}. ${commandsHint}`);
      else if (content !== "") {
        stop = new AbortController();
        const turn = await takeTurn([...messages, { role: "user", content }], answer, { context, stop: stop.signal });
        stop = undefined;
        if (turn instanceof CommandError) failure = turn;
        else messages = turn;
      }
      // Ctrl-D may have closed the input during the answer.
      if (isTerminal && !isClosed) lines.prompt();
    }
    lines.close();
    if (isTerminal) out.note("");
    // In a terminal the user has already seen the failure, and may have asked again.
    return isTerminal ? exitCode : (failure?.exitCode ?? exitCode);
  },
});

/** Prints the answer or the failure. Returns the conversation including this turn, or the failure. */
async function takeTurn(
  messages: Message[],
  answer: Answer,
  { context: { out, signal }, stop }: { context: Context; stop: AbortSignal },
): Promise<Message[] | CommandError> {
  let content = "";
  let ending: Ending = { citations: [] };
  try {
    for await (const part of answer(messages, AbortSignal.any([signal, stop]))) {
      if (typeof part !== "string") ending = part;
      else {
        content += part;
        out.write(part);
      }
    }
  } catch (error) {
    if (stop.aborted) {
      out.write("\n");
      out.note("Stopped.");
      return content === "" ? messages.slice(0, -1) : [...messages, { role: "assistant", content }];
    }
    const failure = toCommandError(error);
    if (!failure || signal.aborted) throw error;
    out.write("\n");
    out.error(failure.message, { exitCode: failure.exitCode });
    return failure;
  }
  const reply: Message = { role: "assistant", content };
  const { citations, finish_reason } = ending;
  out.result({ ...reply, ...(citations.length > 0 && { citations }), ...(finish_reason && { finish_reason }) }, "");
  out.write(`\n${formatCitations(citations, content, out)}\n`);
  if (finish_reason) out.note(cutNotes[finish_reason]);
  return [...messages, reply];
}

function createAnswer(
  agent: ClientName,
  values: { url?: string; key?: string; namespace?: string[]; filter?: string[] },
  { environment, fetch }: Context,
): Answer {
  const options = { ...connect(agent, values, environment), fetch };
  if (agent === "knowledge") {
    const client = new KnowledgeClient(options);
    const scope = { ...searchScope(values), filter: parseFilter(values.filter) };
    return async function* (messages, signal) {
      const request = { messages: [...messages], ...scope, include_tool_events: true as const };
      let isCited = false;
      for await (const event of client.stream(request, { signal })) {
        if (event.type === "text_delta") yield event.content;
        if (event.type !== "citations") continue;
        isCited = event.citations.length > 0;
        yield event;
      }
      if (!isCited) await requireNamespaces(client, values.namespace, signal);
    };
  }
  if (agent === "listing") {
    const client = new ListingClient(options);
    return async function* (messages, signal) {
      for await (const event of client.stream({ messages: [...messages] }, { signal })) {
        if (event.type === "text_message_chunk") yield event.content;
      }
    };
  }
  const client = new RelayClient(options);
  return async function* (messages, signal) {
    const input = { messages: messages.map((message, index) => ({ id: String(index), ...message })) };
    for await (const event of client.stream(input, { signal })) {
      if (event.type === "TEXT_MESSAGE_CONTENT") yield event.delta;
    }
  };
}
