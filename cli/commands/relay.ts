import { RelayClient } from "@agent-backends/client";
import { defineCommand } from "../command.ts";
import { connect } from "../connect.ts";
import { requireText } from "../options.ts";

export const relay = defineCommand({
  name: "relay",
  summary: "Send a message to the model through the relay",
  arguments: "<message>",
  service: "relay",
  options: {
    system: { type: "string", value: "TEXT", description: "instructions for the model" },
    events: { type: "boolean", description: "print the events, one JSON object per line" },
  },
  examples: [
    'agents relay "Who are you?"',
    'agents relay --system "Answer in one word." "What is the capital of Peru?"',
  ],
  async run({ values, positionals }, { out, environment, fetch, signal }) {
    const message = requireText(positionals, "The message", 'agents relay "Who are you?"');
    const client = new RelayClient({ ...connect("relay", values, environment), fetch });
    const system =
      values.system === undefined ? [] : [{ id: "system", role: "system" as const, content: values.system }];
    const messages = [...system, { id: "message", role: "user" as const, content: message }];
    let content = "";
    for await (const event of client.stream({ messages }, { signal })) {
      if (values.events) out.raw(`${JSON.stringify(event)}\n`);
      if (event.type !== "TEXT_MESSAGE_CONTENT") continue;
      content += event.delta;
      if (!values.events) out.write(event.delta);
    }
    if (values.events) return undefined;
    out.result({ content }, "");
    out.write("\n");
  },
});
