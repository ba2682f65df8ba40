import { buildCapabilities } from "@agent-backends/kit/ag-ui";

/** Capabilities of the relay, without those that depend on the model: reasoning, and whether it understands images, audio and documents. */
export function describeCapabilities(options: {
  runTimeoutMs: number;
  vendor: string | undefined;
  resumable: boolean;
}): object {
  return buildCapabilities({
    identity: {
      name: "Streaming relay",
      description: "Relays a conversation to a language model, which may call the tools of the application.",
      provider: options.vendor,
    },
    resumable: options.resumable,
    tools: { parallelCalls: true, clientProvided: true },
    reasoning: { streaming: true },
    multimodal: { input: { video: false, file: false }, output: { image: false, audio: false } },
    execution: { maxIterations: 1, maxExecutionTime: options.runTimeoutMs },
  });
}
