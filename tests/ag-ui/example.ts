import { HttpAgent } from "@ag-ui/client";

const agent = new HttpAgent({ url: process.env.AGENT_URL ?? "http://127.0.0.1:8001/agui" });
agent.addMessage({ id: crypto.randomUUID(), role: "user", content: "When are refunds paid?" });
await agent.runAgent(
  { forwardedProps: { namespace: "shop" } },
  {
    onTextMessageContentEvent: ({ event }) => void process.stdout.write(event.delta),
    onCustomEvent({ event: { name, value } }) {
      if (name !== "agent-backends.citations") return;
      for (const { n, title, quote } of value.citations) process.stdout.write(`\n[${n}] ${title}: "${quote}"\n`);
    },
  },
);
