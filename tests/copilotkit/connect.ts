import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { CommandProcess, freePorts } from "@agent-backends/testing";
import { vi } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));

interface Message {
  role: string;
  content?: string;
  toolCalls?: { id: string; function: { name: string; arguments: string } }[];
}
interface Agent {
  messages: Message[];
  addMessage(message: Message & { id: string }): void;
}
interface Core {
  runtimeConnectionStatus: string;
  getAgent(id: string): Agent;
  runAgent(options: { agent: Agent }): Promise<unknown>;
  subscribe(subscriber: { onError(event: { error: Error }): void }): unknown;
}

// The module is installed when the tests run, but not when they are compiled.
const { CopilotKitCore, z } = await import(new URL("browser.mjs", import.meta.url).href);

export { z };

/** Timeout for conditions that may take a while on a busy machine. */
const patience = { timeout: 30_000, interval: 50 };

export const runtimeSource = readFileSync(`${here}runtime.mjs`, "utf8");

/** CopilotKit's browser part, connected to a runtime. */
export interface Connected {
  /** Asks a question in a new conversation. */
  ask(question: string): Promise<{ messages: Message[]; errors: string[] }>;
  stop(): Promise<unknown>;
}

/**
 * Starts CopilotKit's runtime in front of an agent, and connects its browser part to it.
 *
 * @param options.tools tools of the page, in CopilotKit's format
 * @param options.properties properties of the page, which agents get as `forwardedProps`
 */
export async function connect(
  agentUrl: string,
  options: { tools?: object[]; properties?: object; source?: string } = {},
): Promise<Connected> {
  const { tools = [], properties = {}, source = runtimeSource } = options;
  const [port = 0] = await freePorts(1);
  const environment = {
    AGENT_URL: agentUrl,
    PORT: String(port),
    COPILOTKIT_TELEMETRY_DISABLED: "true",
    DO_NOT_TRACK: "1",
  };
  const args = ["--input-type=module", "--eval", source];
  const runtime = new CommandProcess(process.execPath, args, { cwd: here, environment });
  const runtimeUrl = `http://127.0.0.1:${port}/api/copilotkit`;
  const isUp = () =>
    fetch(`${runtimeUrl}/info`).then(
      ({ ok }) => ok,
      () => false,
    );
  await vi.waitUntil(isUp, patience);
  // CopilotKit connects by itself only in a browser, which it detects by this object.
  Object.assign(globalThis, { window: globalThis });
  const core: Core = new CopilotKitCore({ runtimeUrl, tools, properties });
  const errors: string[] = [];
  core.subscribe({ onError: ({ error }) => void errors.push(error.message) });
  await vi.waitUntil(() => core.runtimeConnectionStatus === "connected", patience);
  return {
    async ask(question) {
      const agent = core.getAgent("default");
      agent.messages.length = 0;
      errors.length = 0;
      agent.addMessage({ id: crypto.randomUUID(), role: "user", content: question });
      await core.runAgent({ agent });
      return { messages: agent.messages.slice(1), errors };
    },
    async stop() {
      await runtime.stop("SIGKILL");
      Reflect.deleteProperty(globalThis, "window");
    },
  };
}
