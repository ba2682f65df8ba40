import { buildToolResponse, listingLimits } from "@agent-backends/contract";
import { withTokens } from "@agent-backends/kit/auth";
import type { McpTool } from "@agent-backends/kit/mcp";
import { defineMcpTool } from "@agent-backends/kit/mcp";
import { z } from "zod";
import type { ActionContext } from "../actions/action.ts";
import { toolActions } from "../actions/index.ts";

/** What a model should know before it chooses a tool. */
export const mcpInstructions =
  "Tells about launches of a listing site. Use top for the leaders of all time, top_timeframe for a day or a period, search for names " +
  "and topics, and advice for questions about launching a product. The text of a result is a Markdown table to show as it is.";

/** The agent's actions as MCP tools. Inputs follow the same rules as the bodies of `/tools/*`. */
export function createMcpTools(
  context: ActionContext,
  /** Returns the model's advice on a launch. */
  advise: (message: string, signal: AbortSignal) => Promise<string>,
): McpTool[] {
  const tools = toolActions.map(({ name, tool }): McpTool => {
    const { title, description, input, openWorld, request } = tool;
    return {
      name,
      title,
      description,
      input,
      request,
      response: buildToolResponse(name),
      openWorld,
      access: { scope: "read" },
      async run(given, { signal }) {
        const call = tool.call(given, context);
        const data = await call.run(signal);
        return { text: call.introduce(data).trim() || JSON.stringify(data), data };
      },
    };
  });
  return [...tools, createAdviceTool(advise)];
}

function createAdviceTool(advise: (message: string, signal: AbortSignal) => Promise<string>): McpTool {
  return defineMcpTool({
    name: "advice",
    title: "Launch advice",
    description: "Advice on preparing, timing and running the launch of a product.",
    input: z.object({ message: z.string().describe("The question, with what is known of the product.") }),
    request: adviceRequest,
    openWorld: true,
    access: { scope: "ask" },
    run: ({ message }, { request, signal }) =>
      withTokens({ request, input: message }, async () => ({ text: await advise(message, signal) })),
  });
}

const adviceRequest = z.object({
  message: z
    .string()
    .trim()
    .min(1, "must not be blank")
    .max(listingLimits.adviceLength, `must have at most ${listingLimits.adviceLength} characters`),
});
