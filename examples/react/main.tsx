import type { Message } from "@ag-ui/client";
import { HttpAgent } from "@ag-ui/client";
import confetti from "canvas-confetti";
import type { FormEvent } from "react";
import { useState } from "react";
import { createRoot } from "react-dom/client";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";

// The addresses of `npm start`. Services that ask for a key take it from `headers`; keep it out of pages that others can read.
const agents = {
  Knowledge: new HttpAgent({ url: "http://127.0.0.1:8001/agui?namespace=default" }),
  Listing: new HttpAgent({ url: "http://127.0.0.1:8002/agui" }),
  Relay: new HttpAgent({ url: "http://127.0.0.1:8000/agent" }),
};

// Listing calls this tool when somebody wants to celebrate. The others never do.
const confettiTool = { name: "confetti", description: "Shows confetti", parameters: { type: "object" } };

function Chat({ name, agent }: { name: string; agent: HttpAgent }) {
  const [messages, setMessages] = useState<Message[]>([]);
  const [sources, setSources] = useState<string[]>([]);
  const [error, setError] = useState("");
  const [isRunning, setRunning] = useState(false);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    const content = String(new FormData(form).get("question"));
    form.reset();
    setError("");
    setSources([]);
    // An agent runs once at a time.
    setRunning(true);
    agent.addMessage({ id: crypto.randomUUID(), role: "user", content });
    await agent
      .runAgent(
        { tools: name === "Listing" ? [confettiTool] : [] },
        {
          onMessagesChanged: ({ messages }) => setMessages([...messages]),
          onCustomEvent: ({ event }) => {
            if (event.name !== "agent-backends.citations") return;
            setSources(event.value.citations.map(({ n, title, quote }: Citation) => `[${n}] ${title}: “${quote}”`));
          },
          onToolCallEndEvent: ({ event, toolCallName, toolCallArgs }) => {
            if (toolCallName !== "confetti") return;
            confetti(toolCallArgs);
            agent.addMessage({ id: crypto.randomUUID(), role: "tool", toolCallId: event.toolCallId, content: "shown" });
          },
        },
      )
      .catch((reason: Error) => setError(reason.message))
      .finally(() => setRunning(false));
  }

  return (
    <section aria-label={name}>
      <h2>{name}</h2>
      {messages.map(({ id, role, content }) =>
        (role === "user" || role === "assistant") && content ? (
          <div key={id} className={role}>
            <Markdown remarkPlugins={[remarkGfm]}>{String(content)}</Markdown>
          </div>
        ) : null,
      )}
      {sources.map((source) => (
        <blockquote key={source}>{source}</blockquote>
      ))}
      {error && <p role="alert">{error}</p>}
      <form onSubmit={send}>
        <input name="question" aria-label={`Ask ${name}`} required />
        <button type="submit" disabled={isRunning}>
          Send
        </button>
      </form>
    </section>
  );
}

interface Citation {
  n: number;
  title: string;
  quote: string;
}

createRoot(document.getElementById("root") as HTMLElement).render(
  Object.entries(agents).map(([name, agent]) => <Chat key={name} name={name} agent={agent} />),
);
