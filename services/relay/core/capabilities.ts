/**
 * AG-UI's `AgentCapabilities` of a relay. What depends on the model is left out, which AG-UI reads as undeclared: reasoning, and
 * whether images, audio and documents are understood.
 */
export function describeCapabilities(options: {
  runTimeoutMs: number;
  vendor: string | undefined;
  resumable: boolean;
}): object {
  return {
    identity: {
      name: "Streaming relay",
      type: "agent-backends",
      description: "Relays a conversation to a language model, which may call the tools of the application.",
      ...(options.vendor !== undefined && { provider: options.vendor }),
    },
    transport: {
      streaming: true,
      websocket: false,
      httpBinary: false,
      pushNotifications: false,
      resumable: options.resumable,
    },
    tools: { supported: true, parallelCalls: true, clientProvided: true },
    output: { structuredOutput: false },
    state: { snapshots: false, deltas: false, memory: false, persistentState: false },
    multiAgent: { supported: false },
    reasoning: { streaming: true },
    multimodal: { input: { video: false, file: false }, output: { image: false, audio: false } },
    execution: { codeExecution: false, maxIterations: 1, maxExecutionTime: options.runTimeoutMs },
    humanInTheLoop: { interrupts: false },
  };
}
