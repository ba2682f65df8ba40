import type { RelayProfile, RunContent, RunInput } from "@agent-backends/contract";
import { limits, runInputSchema, runMessageRoles } from "@agent-backends/contract";
import type { z } from "zod";
import { parseInput } from "../problem.ts";
import type { RunWarning } from "./dialects.ts";

/**
 * Parses the body of a request for a run.
 *
 * @param asked the profile in the request's URL, or else the service's own. Without it, the run input's version decides
 * @param query the schema of the request's query
 * @throws ProblemError `invalid-input`
 */
export function parseRunInput(
  body: unknown,
  { asked, query }: { asked: RelayProfile | undefined; query: z.ZodObject },
): { input: RunInput; profile: RelayProfile; warnings: RunWarning[] } {
  const { messages, protocolVersion } = (body ?? {}) as Record<string, unknown>;
  // AG-UI 1.0 clients declare the protocol version. AG-UI 0.0.x clients send nothing that distinguishes them from other clients.
  const profile = asked ?? (typeof protocolVersion === "string" ? "ag-ui" : "contract");
  const warnings = profile === "ag-ui" && Array.isArray(messages) ? dropUnknownRoles(messages) : [];
  const input = parseInput(runInputSchema, body, { otherPlace: { name: "query", schema: query } });
  return { input, profile, warnings };
}

/**
 * Drops messages with unknown roles: AG-UI requires runs to start without messages of roles that were added later. Other messages keep
 * their places.
 */
function dropUnknownRoles(messages: unknown[]): RunWarning[] {
  const warnings: RunWarning[] = [];
  for (const [index, message] of messages.entries()) {
    const role = (message as { role?: unknown } | null)?.role;
    if (typeof role !== "string" || runMessageRoles.has(role)) continue;
    messages[index] = { id: "", role: "activity" };
    const detail = `messages of the role "${role.slice(0, 64)}" are unknown; this one was left out`;
    if (warnings.length < limits.runWarnings)
      warnings.push({ code: "role_unknown", pointer: `/messages/${index}`, detail });
  }
  return warnings;
}

export function joinText(content: RunContent): string {
  if (typeof content === "string") return content;
  return (content ?? []).map((part) => (part.type === "text" ? (part.text ?? "") : "")).join("");
}

export interface AgentMessage {
  role: "user" | "assistant" | "system";
  content: string;
}

/**
 * The conversation of a run input: messages with text, without those that only clients display. Tool results make no sense without their
 * calls, so both are left out.
 */
export function readConversation({ messages }: RunInput): AgentMessage[] {
  const conversation = messages.flatMap((message): AgentMessage[] => {
    if (message.role === "reasoning" || message.role === "activity" || message.role === "tool") return [];
    const role = message.role === "developer" ? "system" : message.role;
    return [{ role, content: joinText(message.content).toWellFormed() }];
  });
  const last = conversation.findLastIndex(({ role }) => role === "user");
  return conversation.filter(({ content }, position) => content.trim() !== "" || position === last);
}

/** The client's context for a conversation, as messages for the model: one or none. */
export function describeContext(context: RunInput["context"] = []): AgentMessage[] {
  if (context.length === 0) return [];
  const lines = context.map(({ description, value }) => `- ${description}: ${value}`);
  return [{ role: "system", content: `Context of this conversation:\n${lines.join("\n")}` }];
}

/** Finds the parts of the user's messages that the agents can't read. */
export function findUnreadParts({ messages }: RunInput): RunWarning[] {
  const warnings: RunWarning[] = [];
  for (const [index, message] of messages.entries()) {
    if (message.role !== "user" || typeof message.content !== "object") continue;
    for (const [place, { type }] of message.content.entries()) {
      if (type === "text" || warnings.length >= limits.runWarnings) continue;
      const pointer = `/messages/${index}/content/${place}`;
      const detail = `this agent reads only text; a part of type "${type.slice(0, 64)}" was left out`;
      warnings.push({ code: "part_dropped", pointer, detail });
    }
  }
  return warnings;
}
