interface Described {
  identity: { name: string; description: string; provider?: string | undefined; version?: string };
  resumable: boolean;
  tools: object;
  reasoning: object;
  multimodal: { input: object; output: object };
  execution?: object;
}

/** AG-UI's `AgentCapabilities`: the capabilities of all agents here, plus those of one agent. Omitted capabilities are undeclared. */
export function buildCapabilities({ identity, resumable, tools, reasoning, multimodal, execution }: Described): object {
  const { name, ...others } = identity;
  return {
    identity: { name, type: "agent-backends", ...others },
    transport: { streaming: true, websocket: false, httpBinary: false, pushNotifications: false, resumable },
    tools: { supported: true, ...tools },
    output: { structuredOutput: false },
    state: { snapshots: false, deltas: false, memory: false, persistentState: false },
    multiAgent: { supported: false },
    reasoning,
    multimodal,
    execution: { codeExecution: false, ...execution },
    humanInTheLoop: { interrupts: false },
  };
}
