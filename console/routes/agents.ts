/** The agents that can be talked to, each in a view of its own. */
export const agentNames = ["knowledge", "listing", "relay"] as const;
export type AgentName = (typeof agentNames)[number];
